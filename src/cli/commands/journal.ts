/** Looks through the journal of a session, which needs no host. */
import { auditJournal, type JournalAudit } from '../../host/journal-audit.ts';
import type { SessionPaths } from '../../platform/paths.ts';
import { CliError, exitCodes } from '../exit.ts';
import type { Output } from '../output.ts';
import { whyUnreadable } from '../unreadable.ts';

/** More of the same kind tell nobody more. */
const mostShown = 20;

/** Why a journal cannot be looked through, for a person. */
export function journalTrouble(paths: SessionPaths, error: unknown): CliError {
  if ((error as NodeJS.ErrnoException).code === 'ENOENT') {
    return new CliError(`Session ${paths.session} has no journal: nothing ever ran in it.`);
  }
  return new CliError(`The journal ${paths.journal} cannot be read: ${whyUnreadable(error)}.`);
}

export async function verifyJournal(paths: SessionPaths, output: Output): Promise<number> {
  let audit: JournalAudit;
  try {
    audit = await auditJournal(paths.journal);
  } catch (error) {
    throw journalTrouble(paths, error);
  }
  const { files, records, dispatched, problems } = audit;
  output.answer({ journal: paths.journal, ...audit }, () => [
    `${paths.journal}: ${files === 1 ? '' : `${files} files, `}${records} records, ${dispatched} calls sent.`,
    ...problems.slice(0, mostShown),
    ...(problems.length > mostShown
      ? [`and ${problems.length - mostShown} more (--json lists them all)`]
      : []),
    problems.length === 0
      ? 'The chain holds, each call that was sent had been approved, and none was sent twice.'
      : 'It cannot be relied upon: keep a copy of these files before anything else is done with them.',
  ]);
  return problems.length === 0 ? exitCodes.ok : exitCodes.refused;
}
