/**
 * The journal: one JSON record a line, append-only, on disk before the effect it announces.
 * Knows nothing of what records mean; `replay.ts` reads them back.
 */
import { type FileHandle, open, readFile } from 'node:fs/promises';

export interface JournalRecord {
  /** RFC 3339 with milliseconds. */
  at: string;
  type: string;
  [field: string]: unknown;
}

export interface OpenedJournal {
  journal: Journal;
  records: JournalRecord[];
  /** What had to be repaired, in words. */
  repaired: string | undefined;
}

/** Most text of records that wait for a journal that cannot be written. */
const maxUnwritten = 16 * 1024 * 1024;

/** The journal cannot be written: nothing may be dispatched any more. */
export class JournalError extends Error {
  override name = 'JournalError';
}

export class Journal {
  readonly #path: string;
  readonly #file: FileHandle;
  #waiting: { text: string; settle: (error?: Error) => void }[] = [];
  #writing: Promise<void> | undefined;
  #problem: string | undefined;
  /** Records that could not be written; the next attempt begins with them, so that none is missing. */
  #unwritten = '';
  /** Some did not fit into that. */
  #lost = false;
  /** The file may end in half a record. */
  #torn = false;
  /** Told when writing begins to fail, and when it works again. */
  onProblem: (problem: string | undefined) => void = () => {};

  private constructor(path: string, file: FileHandle) {
    this.#path = path;
    this.#file = file;
  }

  /** Opens or creates (0600); drops a torn last line, which a crash leaves behind. */
  static async open(path: string): Promise<OpenedJournal> {
    const file = await open(path, 'a', 0o600);
    const bytes = await readFile(path);
    const whole = bytes.lastIndexOf(10) + 1;
    let repaired: string | undefined;
    if (whole < bytes.length) {
      await file.truncate(whole);
      repaired = `The journal's last line was torn (${bytes.length - whole} bytes); it was dropped.`;
    }
    const records: JournalRecord[] = [];
    let unreadable = 0;
    for (const line of bytes.subarray(0, whole).toString('utf8').split('\n')) {
      if (line === '') continue;
      const record = parseRecord(line);
      if (record) records.push(record);
      else unreadable++;
    }
    if (unreadable > 0)
      repaired = `${repaired ?? ''} ${unreadable} lines of the journal ${path} cannot be read.`.trim();
    return { journal: new Journal(path, file), records, repaired };
  }

  /** Why nothing can be recorded, if so. */
  get problem(): string | undefined {
    return this.#problem;
  }

  /**
   * Appends a record. The promise settles when it is on disk (fdatasync; records of the same moment
   * share one) and rejects with a {@link JournalError} when it may not be. Once a record is on disk all
   * earlier ones are, also those that could not be written at first.
   */
  append(type: string, fields: Record<string, unknown>): Promise<void> {
    const record: JournalRecord = { at: new Date().toISOString(), type, ...fields };
    const written = new Promise<void>((resolve, reject) => {
      this.#waiting.push({
        text: `${JSON.stringify(record)}\n`,
        settle: (error) => (error ? reject(error) : resolve()),
      });
    });
    this.#writing ??= this.#write();
    return written;
  }

  async close(): Promise<void> {
    while (this.#writing) await this.#writing;
    await this.#file.close();
  }

  async #write(): Promise<void> {
    while (this.#waiting.length > 0) {
      const group = this.#waiting;
      this.#waiting = [];
      let failure: Error | undefined;
      const text = this.#unwritten + group.map((entry) => entry.text).join('');
      try {
        if (this.#lost) throw new Error('records were lost while it could not be: start the host anew');
        await this.#commit(Buffer.from(text));
        this.#unwritten = '';
        this.#report(undefined);
      } catch (error) {
        const problem = `The journal ${this.#path} cannot be written (${(error as Error).message}).`;
        failure = new JournalError(problem, { cause: error });
        if (text.length <= maxUnwritten) this.#unwritten = text;
        else this.#lost = true;
        this.#report(problem);
      }
      for (const entry of group) entry.settle(failure);
    }
    this.#writing = undefined;
  }

  #report(problem: string | undefined): void {
    if (problem === this.#problem) return;
    this.#problem = problem;
    this.onProblem(problem);
  }

  async #commit(records: Buffer): Promise<void> {
    const bytes = this.#torn ? Buffer.concat([Buffer.from('\n'), records]) : records;
    const before = (await this.#file.stat()).size;
    try {
      let done = 0;
      while (done < bytes.length) done += (await this.#file.write(bytes, done)).bytesWritten;
      await this.#file.datasync();
      this.#torn = false;
    } catch (error) {
      // Half a record would swallow the next one.
      await this.#file.truncate(before).catch(() => {
        this.#torn = true;
      });
      throw error;
    }
  }
}

function parseRecord(line: string): JournalRecord | undefined {
  try {
    const value = JSON.parse(line) as JournalRecord | null;
    return value && typeof value === 'object' && typeof value.type === 'string' ? value : undefined;
  } catch {
    return undefined;
  }
}
