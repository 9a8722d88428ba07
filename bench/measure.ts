/** Takes one measure of every multiplexer in turn, several times over, so that a drift of the machine meets all. */
import { digits, median, type Row } from './figures.ts';
import type { Multiplexer } from './multiplexer.ts';

export const rounds = Number(process.env.BENCH_ROUNDS ?? 3);

/** One line of the tables: what each multiplexer had in each round. Less is better in all of them. */
export interface Measured {
  measure: string;
  values: Map<string, number[]>;
}

/** @param one the figures of one multiplexer, one for each of `labels`; undefined where it has no such thing */
export async function inTurn(
  all: readonly Multiplexer[],
  labels: readonly string[],
  one: (multiplexer: Multiplexer) => Promise<number[] | undefined>,
): Promise<Measured[]> {
  const measured = labels.map((measure): Measured => ({ measure, values: new Map() }));
  for (let round = 0; round < rounds; round++) {
    for (const multiplexer of all) {
      const figures = await one(multiplexer).catch((error: Error) => {
        // Now and then a character is swallowed while a shell starts: that tells nothing of speed.
        process.stderr.write(`\n${error.message.slice(0, 120)}; measured again.\n`);
        return one(multiplexer).catch(() => undefined);
      });
      for (const [index, figure] of figures?.entries() ?? []) {
        const { values } = measured[index] as Measured;
        values.set(multiplexer.name, [...(values.get(multiplexer.name) ?? []), figure]);
      }
    }
  }
  process.stderr.write('.');
  return measured;
}

/** Medians with the least and the most of the rounds, and the ratio of ours to tmux's. */
export function rowOf({ measure, values }: Measured): Row {
  const row: Row = { measure };
  for (const [name, figures] of values) {
    const spread = `${digits(Math.min(...figures))}–${digits(Math.max(...figures))}`;
    row[name] = `${digits(median(figures))}${figures.length > 1 ? ` (${spread})` : ''}`;
  }
  const ratio = ratioOf({ measure, values });
  if (ratio !== undefined) row['tickmux / tmux'] = digits(ratio);
  return row;
}

/** Undefined where one of the two was not measured, or tmux had nothing to divide by. */
export function ratioOf({ values }: Measured, name = 'tickmux'): number | undefined {
  const [ours, theirs] = [values.get(name), values.get('tmux')];
  const ratio = ours && theirs ? median(ours) / median(theirs) : Number.NaN;
  return Number.isFinite(ratio) ? ratio : undefined;
}
