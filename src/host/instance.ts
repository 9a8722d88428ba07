/**
 * One instance: a program on a terminal, its screen and, for a Tick, its session. Survives its
 * program: a restart is a new incarnation of the same instance. Asks nobody for permission; that is
 * done before.
 */
import { EventEmitter } from 'node:events';
import { basename } from 'node:path';
import { visible } from '../cells/visible.ts';
import { cleanEnvironment, type Launched, launch } from '../launch/index.ts';
import { brief } from '../protocol/brief.ts';
import { initialSize, type Limits } from '../protocol/limits.ts';
import { type ParseScheduler, Screen } from '../screen/index.ts';
import { Session, type SessionEnd } from '../session/index.ts';
import { Catalogue } from './catalogue.ts';
import { Paced } from './paced.ts';
import { Slots } from './slots.ts';

/** Unparsed bytes above which the terminal is paused, and below which it goes on. */
const pauseBytes = 256 * 1024;
const resumeBytes = 64 * 1024;

/** Bells and titles of a program are told at most this often, in milliseconds; the first at once. */
const saidEveryMs = 500;

export interface InstanceSpec {
  id: string;
  hosted: boolean;
  command: readonly string[];
  cwd: string;
  /** The asking client's environment, as it is. */
  env: Readonly<Record<string, string | undefined>>;
  name: string | undefined;
  /** operator, or agent:N */
  openedBy: string;
  session: string;
  limits: Limits;
  scheduler: ParseScheduler;
  /** Lines kept above the screen. */
  scrollback?: number;
}

/** A Tick that could not be initialized (tick H-4.2-3): the reason, and the start of its screen. */
export class StartError extends Error {
  override name = 'StartError';
  readonly screen: string;

  constructor(message: string, screen: string) {
    super(message);
    this.screen = screen;
  }
}

interface InstanceEvents {
  /** Title, status, size, bell: whatever a list shows. */
  changed: [];
  /** The screen shows something else. */
  drawn: [];
  /** The program put a text on the clipboard. */
  copied: [text: string];
  /** A newer state. */
  updated: [];
  /** The catalogue is not what it was. */
  catalogue: [];
  /** The program is gone; told once an incarnation. */
  ended: [how: string];
}

export class Instance extends EventEmitter<InstanceEvents> {
  readonly spec: InstanceSpec;
  /** Turns of calls. */
  readonly slots: Slots;
  /** Turns of agents that describe or read: few, since the host's own describe must find room at once. */
  readonly lookSlots = new Slots(4);
  readonly catalogue: Catalogue;
  /** Counts starts; 0 before the first. */
  incarnation = 0;
  status: 'starting' | 'running' | 'ended' = 'starting';
  endedHow: string | undefined;
  shared = false;
  bells = 0;
  /** Bytes the program wrote to its terminal so far. */
  outputBytes = 0;
  /** Counts what the operator typed: input an agent proposed before it is no longer what was shown. */
  typed = 0;
  screen: Screen;
  session: Session | undefined;
  /** It was let go of: nothing starts it again. */
  disposed = false;
  #launched: Launched | undefined;
  #ending = false;
  #size: { cols: number; rows: number } = { ...initialSize };
  #disposables: (() => void)[] = [];

  constructor(spec: InstanceSpec) {
    super();
    this.spec = spec;
    this.slots = new Slots(spec.limits.callsInFlight);
    this.catalogue = new Catalogue(this);
    this.screen = this.#newScreen();
  }

  get id(): string {
    return this.spec.id;
  }

  get pid(): number | undefined {
    return this.status === 'ended' ? undefined : this.#launched?.pid;
  }

  get title(): string {
    return brief(
      this.spec.name ?? this.session?.descriptor?.title ?? basename(this.spec.command[0] ?? ''),
      200,
    );
  }

  get size(): { cols: number; rows: number } {
    return this.#size;
  }

  /** The process group in the foreground of the terminal. */
  get foregroundGroup(): number | undefined {
    return this.#launched?.terminal.foregroundGroup();
  }

  /** Whether the terminal echoes what is typed. */
  async echo(): Promise<boolean | undefined> {
    return this.#launched?.terminal.echo();
  }

  /**
   * Starts the program: a new incarnation. Rejects with a LaunchError when it cannot be started, with a
   * {@link StartError} when a Tick does not initialize; the program is then gone.
   */
  async start(): Promise<void> {
    this.incarnation++;
    this.status = 'starting';
    this.endedHow = undefined;
    this.#ending = false;
    // What the last program left behind must be gone before there is another.
    await this.#release();
    const startedAt = performance.now();
    const [program = '', ...args] = this.spec.command;
    const launched = await launch({
      command: program,
      args,
      cwd: this.spec.cwd,
      env: this.#environment(),
      ...this.#size,
      pipes: this.spec.hosted,
      terminateMs: this.spec.limits.terminateMs,
    }).catch((error: Error) => {
      this.#markEnded(`could not be started: ${error.message}`);
      throw error;
    });
    this.#launched = launched;
    this.#connectScreen(launched);
    if (this.#ending) await launched.terminate();
    void launched.exited.then(({ code, signal }) =>
      this.#programGone(launched, signal ? `was ended by ${signal}` : `exited with code ${code}`),
    );
    if (this.spec.hosted) await this.#initialize(launched, startedAt);
    this.status = 'running';
    this.emit('changed');
  }

  /** Types bytes; false when the terminal takes no more. */
  type(bytes: Uint8Array): boolean {
    return this.status !== 'ended' && (this.#launched?.terminal.write(bytes) ?? false);
  }

  resize(cols: number, rows: number): void {
    if (this.#size.cols === cols && this.#size.rows === rows) return;
    this.#size = { cols, rows };
    this.screen.resize(cols, rows);
    if (this.status !== 'ended') this.#launched?.terminal.resize(cols, rows);
    this.emit('drawn');
  }

  /** Ends the program: SIGTERM, SIGKILL after two seconds. Resolves when nothing of it is alive. */
  async terminate(): Promise<{ escaped: number[] }> {
    this.#ending = this.status !== 'ended';
    return (await this.#launched?.terminate()) ?? { escaped: [] };
  }

  /** Lets go of everything; what may be left of the program is ended. */
  async dispose(): Promise<void> {
    this.disposed = true;
    this.removeAllListeners();
    await this.#release();
    this.screen.dispose();
  }

  #environment(): Record<string, string> {
    return {
      ...cleanEnvironment(this.spec.env),
      ...(this.spec.hosted && { TICKLOOP_INSTANCE_ID: this.id }),
      TICKMUX_INSTANCE: this.id,
      TICKMUX_SESSION: this.spec.session,
    };
  }

  #newScreen(): Screen {
    const { scrollback } = this.spec;
    return new Screen({ ...this.#size, ...(scrollback !== undefined && { scrollback }) });
  }

  #connectScreen(launched: Launched): void {
    const { scheduler } = this.spec;
    const screen = this.#newScreen();
    this.screen.dispose();
    this.screen = screen;
    let paused = false;
    let title = '';
    launched.terminal.onData((bytes) => {
      this.outputBytes += bytes.length;
      scheduler.write(screen, bytes);
      if (!paused && screen.pendingBytes > pauseBytes) {
        paused = true;
        launched.terminal.pause();
      }
    });
    screen.onReply((bytes) => launched.terminal.write(bytes));
    const said = new Paced(saidEveryMs, () => this.emit('changed'));
    this.#disposables.push(() => said.stop());
    screen.onBell(() => {
      this.bells++;
      said.call();
    });
    screen.onCopied((text) => this.emit('copied', text));
    screen.onParsed(() => {
      if (paused && screen.pendingBytes < resumeBytes) {
        paused = false;
        launched.terminal.resume();
      }
      if (screen.title !== title) {
        title = screen.title;
        said.call();
      }
      this.emit('drawn');
    });
    this.#disposables.push(() => scheduler.remove(screen));
    this.emit('drawn');
  }

  async #initialize(launched: Launched, startedAt: number): Promise<void> {
    const { stdin, stdout } = launched;
    if (!stdin || !stdout) throw new Error('a Tick was launched without pipes');
    stdin.on('error', () => {}); // the end of its output tells the same
    const session = new Session({ stdin, stdout, limits: this.spec.limits, startedAt });
    this.session = session;
    this.#disposables.push(() => session.dispose());
    session.on('update', () => this.emit('updated'));
    const result = await session.initialize();
    if (result.ok) {
      session.on('end', (end) => void this.#sessionEnded(launched, end));
      this.catalogue.begin(session, result.descriptor);
      return;
    }
    this.#markEnded(`did not start as a Tick: ${visible(result.reason)}`);
    await launched.terminate();
    throw new StartError(startFailure(this.spec, result.reason), this.#screenStart());
  }

  async #sessionEnded(launched: Launched, end: SessionEnd): Promise<void> {
    if (this.#launched !== launched || end.reason === 'disposed') return;
    if (end.reason === 'violation') {
      this.#markEnded(`broke the protocol (${end.requirement}): ${visible(end.message)}`);
    } else if (end.reason === 'exit') {
      // Its exit tells how, if it comes by itself.
      await Promise.race([launched.exited, settleTime()]);
      this.#markEnded('closed its standard output');
    }
    await launched.terminate();
  }

  #programGone(launched: Launched, how: string): void {
    if (this.#launched !== launched) return;
    this.session?.dispose();
    this.#markEnded(how);
  }

  #markEnded(how: string): void {
    if (this.status === 'ended') return;
    this.status = 'ended';
    this.endedHow = this.#ending ? 'was closed' : how;
    this.catalogue.end();
    this.emit('ended', this.endedHow);
    this.emit('changed');
    this.emit('drawn');
  }

  #screenStart(): string {
    this.screen.parse(50);
    return this.screen.textStart(this.spec.limits.failedStartChars);
  }

  async #release(): Promise<void> {
    const launched = this.#launched;
    this.#launched = undefined;
    for (const dispose of this.#disposables.reverse()) dispose();
    this.#disposables = [];
    this.session = undefined;
    await launched?.terminate();
    launched?.dispose();
  }
}

/** How long after its output ended a program is given to exit by itself. */
function settleTime(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 200));
}

function startFailure(spec: InstanceSpec, reason: string): string {
  const command = visible(brief(spec.command.join(' ')));
  // Only what needs no quotes can be typed as it stands here.
  const plain = command.length <= 60 && spec.command.every((word) => /^[\w./:=@%+-]+$/.test(word));
  const shown = plain ? command : `${visible(basename(spec.command[0] ?? ''))} …`;
  return `"${command}" did not start as a Tick: ${visible(reason)} If it is an ordinary program, open it with --shell: open --shell -- ${shown}`;
}
