/** Sends a token to the program of an instance as its modes want it. Never decides whether it is meant for it. */
import { Grid } from '../cells/grid.ts';
import { operatorApi } from '../rpc/api/index.ts';
import { encodeToken, type MousePlace, type Token } from './stage/index.ts';
import type { Ui } from './ui.ts';

/** Input bytes in one message. */
const chunkBytes = 256 * 1024;

/** `place`: where its pane is, for the mouse. */
export function typeToken(ui: Ui, instance: string, token: Token, place?: Omit<MousePlace, 'offset'>): void {
  // Before its first frame a program has asked for nothing.
  const { modes } = ui.grids.get(instance) ?? new Grid();
  const bytes = encodeToken(token, modes, place && { ...place, offset: ui.grids.offset(instance) });
  if (!bytes) return;
  for (let at = 0; at < bytes.length; at += chunkBytes) {
    const base64 = Buffer.from(bytes.subarray(at, at + chunkBytes)).toString('base64');
    ui.client.notify(operatorApi.type, { instance, base64 });
  }
}
