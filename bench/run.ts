/** `npm run bench [screens|panes|host] [--chart FILE]`: measures, side by side in one run, and prints tables. */
import { writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { chart } from './chart.ts';
import { table } from './figures.ts';
import { hostRows } from './host.ts';
import { type Measured, rowOf } from './measure.ts';
import { versions } from './multiplexer.ts';
import { paneMeasures } from './panes.ts';
import { screenMeasures } from './screens.ts';

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { chart: { type: 'string' } },
});
const parts = ['screens', 'panes', 'host'];
const [wanted] = positionals;
if (positionals.length > 1 || (wanted !== undefined && !parts.includes(wanted))) {
  process.stderr.write(
    `There is no part "${positionals.join(' ')}": use ${parts.join(' or ')}, or none for all.\n`,
  );
  process.exit(2);
}
const isWanted = (part: string) => wanted === undefined || wanted === part;
const print = (text: string) => process.stdout.write(`${text}\n\n`);
const all: Measured[] = [];
for (const [part, measure] of [
  ['screens', screenMeasures],
  ['panes', paneMeasures],
] as const) {
  if (!isWanted(part)) continue;
  const measured = await measure();
  all.push(...measured);
  process.stderr.write('\n');
  print(table(measured.map(rowOf)));
}
if (isWanted('host')) {
  const rows = await hostRows();
  process.stderr.write('\n');
  print(table(rows));
}
if (values.chart !== undefined) writeFileSync(values.chart, chart(all));
process.stdout.write(`${versions().join(', ')}; ${cpus().length} processors (${cpus()[0]?.model.trim()})\n`);
process.exit(0);
