/** The host's own picture of an instance, followed by a view of its own as every view does. */
import { Grid } from '../../src/cells/grid.ts';
import { operatorApi } from '../../src/rpc/api/index.ts';
import type { Client } from '../../src/rpc/client.ts';

/** Give the size the instance has on the screen: a view that came last could change it. */
export async function watchGrid(
  client: Client,
  instance: string,
  { cols, rows }: { cols: number; rows: number },
): Promise<Grid> {
  const grid = new Grid();
  client.on(operatorApi.frame, ({ frame }) => {
    if (grid.applyFrame(frame) === 'gap') throw new Error(`A frame of ${instance} does not follow the last.`);
    client.notify(operatorApi.acknowledge, { instance, generation: grid.generation });
  });
  await client.request(operatorApi.attach, { cols: cols + 2, rows: rows + 4, cwd: '/', env: {} });
  client.notify(operatorApi.show, { panes: [{ instance, cols, rows }], focused: null });
  return grid;
}
