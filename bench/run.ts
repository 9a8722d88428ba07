/** `npm run bench [screens|host]`: measures, side by side in one run, and prints a table. */
import { cpus } from 'node:os';
import { table } from './figures.ts';
import { hostRows } from './host.ts';
import { versions } from './multiplexer.ts';
import { screenRows } from './screens.ts';

const wanted = process.argv[2];
const parts = { screens: screenRows, host: hostRows };
if (wanted !== undefined && !Object.hasOwn(parts, wanted)) {
  process.stderr.write(
    `There is no part "${wanted}": use ${Object.keys(parts).join(' or ')}, or none for all.\n`,
  );
  process.exit(2);
}
for (const [name, measure] of Object.entries(parts)) {
  if (wanted !== undefined && wanted !== name) continue;
  const rows = await measure();
  process.stderr.write('\n');
  process.stdout.write(`${table(rows)}\n\n`);
}
process.stdout.write(`${versions().join(', ')}; ${cpus().length} processors (${cpus()[0]?.model.trim()})\n`);
process.exit(0);
