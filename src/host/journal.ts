/**
 * The journal: one JSON record a line, append-only, chained, on disk before the effect it announces. When a file is
 * full the next one begins with all that is to be known of it. Knows nothing of what records mean: `replay.ts` does.
 */
import { type FileHandle, link, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { seal } from './journal-chain.ts';
import { archivePath, archivesOf, comingPath, type JournalRecord, openLines } from './journal-files.ts';

export interface OpenedJournal {
  journal: Journal;
  /** What had to be repaired, in words. */
  repaired: string | undefined;
}

/** Takes in each record once it is on disk, and can say what is to be known of all of them. */
export interface RecordKeeper {
  apply(record: JournalRecord): void;
  /** Fields of a record that, applied alone, leaves another keeper knowing the same. */
  checkpoint(): Record<string, unknown>;
}

export interface JournalOptions {
  /** A file this large, in bytes, is full. Default 8 MiB. */
  fileBytes?: number;
  /** Full files kept; the oldest go. Default 32. */
  filesKept?: number;
}

/** Most text of records that wait for a journal that cannot be written. */
const maxUnwritten = 16 * 1024 * 1024;

/** The journal cannot be written: nothing may be dispatched any more. */
export class JournalError extends Error {
  override name = 'JournalError';
}

export class Journal {
  readonly #path: string;
  readonly #keeper: RecordKeeper;
  readonly #fileBytes: number;
  readonly #filesKept: number;
  #file: FileHandle;
  #size: number;
  #waiting: { record: JournalRecord; settle: (error?: Error) => void }[] = [];
  #writing: Promise<void> | undefined;
  #problem: string | undefined;
  /** What could not be written; the next attempt begins with it, so that nothing is missing. */
  #unwritten: Batch;
  /** Some did not fit into that. */
  #lost = false;
  /** The file may end in half a record. */
  #torn = false;
  /** Told when writing begins to fail, and when it works again. */
  onProblem: (problem: string | undefined) => void = () => {};

  private constructor(
    path: string,
    keeper: RecordKeeper,
    opened: { file: FileHandle; link: string; size: number },
    { fileBytes = 8 * 1024 * 1024, filesKept = 32 }: JournalOptions,
  ) {
    this.#path = path;
    this.#keeper = keeper;
    this.#file = opened.file;
    this.#unwritten = nothingAfter(opened.link);
    this.#size = opened.size;
    this.#fileBytes = fileBytes;
    this.#filesKept = filesKept;
  }

  /** Opens or creates (0600), and gives `keeper` what is in it; drops a torn last line, which a crash leaves behind. */
  static async open(
    path: string,
    keeper: RecordKeeper,
    options: JournalOptions = {},
  ): Promise<OpenedJournal> {
    const { records, link, size, torn, unreadable, broken } = await openLines(path);
    const file = await open(path, 'a', 0o600);
    for (const record of records) keeper.apply(record);
    const remarks: string[] = [];
    if (torn > 0) remarks.push(`The journal's last line was torn (${torn} bytes); it was dropped.`);
    if (unreadable.length > 0)
      remarks.push(`${unreadable.length} lines of the journal ${path} cannot be read.`);
    if (broken.length > 0)
      remarks.push(
        `The journal ${path} was changed by something else at line ${broken[0]}: \`tickmux log --verify\` tells more.`,
      );
    return {
      journal: new Journal(path, keeper, { file, link, size }, options),
      repaired: remarks.length > 0 ? remarks.join(' ') : undefined,
    };
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
      this.#waiting.push({ record, settle: (error) => (error ? reject(error) : resolve()) });
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
      const batch = sealed(
        this.#unwritten,
        group.map((entry) => entry.record),
      );
      try {
        if (this.#lost) throw new Error('records were lost while it could not be: start the host anew');
        await this.#commit(Buffer.from(batch.text));
        this.#unwritten = nothingAfter(batch.link);
        for (const record of batch.records) this.#keeper.apply(record);
        this.#report(undefined);
      } catch (error) {
        const problem = `The journal ${this.#path} cannot be written (${(error as Error).message}).`;
        failure = new JournalError(problem, { cause: error });
        if (batch.text.length <= maxUnwritten) this.#unwritten = batch;
        else this.#lost = true;
        this.#report(problem);
      }
      for (const entry of group) entry.settle(failure);
      if (!failure && this.#size > this.#fileBytes) await this.#changeFile();
    }
    this.#writing = undefined;
  }

  /**
   * Goes on in a new file that begins with a checkpoint. The full one gets a second name before the new one takes its
   * place, so that there is a whole journal at every moment; if that fails, it goes on in the full one.
   */
  async #changeFile(): Promise<void> {
    const coming = comingPath(this.#path);
    const archives = await archivesOf(this.#path).catch(() => []);
    const archive = archivePath(this.#path, (archives.at(-1)?.number ?? 0) + 1);
    const record = { at: new Date().toISOString(), type: 'checkpoint', ...this.#keeper.checkpoint() };
    const { text, link: last } = sealed(this.#unwritten, [record]);
    let file: FileHandle | undefined;
    try {
      await rm(coming, { force: true });
      file = await open(coming, 'ax', 0o600);
      await file.writeFile(text);
      await file.datasync();
      await link(this.#path, archive);
      await rename(coming, this.#path);
    } catch {
      await file?.close();
      for (const path of [coming, archive]) await rm(path, { force: true }).catch(() => {});
      // Tried again once as much has come again.
      this.#size = 0;
      return;
    }
    const full = this.#file;
    this.#file = file;
    this.#unwritten = nothingAfter(last);
    this.#size = Buffer.byteLength(text);
    const tooOld = archives.slice(0, Math.max(0, archives.length + 1 - this.#filesKept));
    await Promise.allSettled([
      full.close(),
      syncDirectory(dirname(this.#path)),
      ...tooOld.map(({ path }) => rm(path)),
    ]);
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
      this.#size += bytes.length;
    } catch (error) {
      // Half a record would swallow the next one.
      await this.#file.truncate(before).catch(() => {
        this.#torn = true;
      });
      throw error;
    }
  }
}

/** Records with the text in which they are written, sealed one after the other. */
interface Batch {
  readonly records: readonly JournalRecord[];
  readonly text: string;
  /** Of the last of them; of the last before them when there are none. */
  readonly link: string;
}

function nothingAfter(link: string): Batch {
  return { records: [], text: '', link };
}

/** The batch with more records behind it; what is sealed already stays as it is. */
function sealed(batch: Batch, more: readonly JournalRecord[]): Batch {
  let { text, link } = batch;
  for (const record of more) {
    const next = seal(plain(JSON.stringify(record)), link);
    text += `${next.line}\n`;
    link = next.link;
  }
  return { records: [...batch.records, ...more], text, link };
}

/** The same JSON, without the characters that would act on the terminal of somebody who looks at the file. */
function plain(json: string): string {
  return json.replace(
    /[\x7f-\x9f\u2028-\u202e\u2066-\u2069]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** So that the names outlive a power cut, too. */
async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path, 'r');
  await directory.sync().finally(() => directory.close());
}
