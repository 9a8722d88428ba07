/** How the outcome of a call is told, and which exit code it makes. */
import { visible } from '../cells/visible.ts';
import type { CallReport } from '../rpc/api/calls.ts';
import { exitCodes } from './exit.ts';
import { jsonLines, type Output } from './output.ts';

/** Prints a report of a call in `session` and returns the exit code that stands for it. */
export function tellReport(report: CallReport, session: string, output: Output): number {
  output.answer(report, () => [
    ...(report.arguments === undefined
      ? []
      : [
          output.dim('A person changed the arguments before approving; these ran:'),
          ...jsonLines(report.arguments),
        ]),
    ...(report.result === undefined ? [] : jsonLines(report.result)),
    ...(report.secret === undefined
      ? []
      : [
          `${report.call} waits for a person. Ask how it ended:`,
          `  tickmux status -s ${session} ${report.call} --secret ${report.secret}`,
        ]),
  ]);
  const words = wordsOf(report);
  if (words) output.remark(words);
  return exitCodeOf(report);
}

function exitCodeOf({ state }: CallReport): number {
  switch (state) {
    case 'succeeded':
    case 'waiting':
    case 'approved':
    case 'dispatched':
      return exitCodes.ok;
    case 'unknown':
      return exitCodes.unknown;
    default:
      return exitCodes.refused;
  }
}

function wordsOf(report: CallReport): string | undefined {
  const what = visible(`${report.tool}${report.instance ? ` on ${report.instance}` : ''}`);
  const why = (report.words ?? report.error?.message ?? '').split('\n').map(visible).join('\n').trimEnd();
  const because = why ? `: ${why}${/[.!?]$/.test(why) ? '' : '.'}` : '.';
  switch (report.state) {
    case 'waiting':
    case 'approved':
    case 'dispatched':
      return report.secret ? undefined : `${report.call} ${what}: ${report.state}.`;
    case 'succeeded':
      return undefined;
    case 'failed':
      return (
        `${report.call} ${what} failed${because}` +
        (report.effect === 'possible'
          ? ' It may have changed something: read the state before trying again.'
          : '')
      );
    case 'unknown':
      return (
        `${report.call} ${what} has an unknown outcome${because} ` +
        'It may have run and will not be sent again: read the state before trying again.'
      );
    default:
      return `${report.call} ${what} was not sent, ${report.state}${because}`;
  }
}
