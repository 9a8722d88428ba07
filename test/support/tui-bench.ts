import { type Clock, systemClock } from '../../src/tui/clock.ts';
import { runTui, type TuiEnd, type TuiOptions } from '../../src/tui/index.ts';
import type { FakeHost } from './fake-host.ts';
import { HeadlessTerminal } from './headless-terminal.ts';

/** A clock whose `ticks` a test moves on by hand, and whose date it can hold; all else is real. */
class HandClock implements Clock {
  #ticks = 0;
  #held: number | undefined;
  readonly delay = systemClock.delay;

  now(): number {
    return this.#held ?? systemClock.now();
  }

  ticks(): number {
    return this.#ticks;
  }

  /** No age goes on until what this returns is called. */
  hold(): () => void {
    this.#held = systemClock.now();
    return () => {
      this.#held = undefined;
    };
  }

  pass(ms: number): void {
    this.#ticks += ms;
  }
}

/** A TUI on a headless terminal, attached to a host that a test plays. */
export class TuiBench {
  readonly host: FakeHost;
  readonly terminal: HeadlessTerminal;
  readonly clock = new HandClock();
  end: TuiEnd | undefined;
  #ended: Promise<void> = Promise.resolve();

  private constructor(host: FakeHost, cols: number, rows: number) {
    this.host = host;
    this.terminal = new HeadlessTerminal(cols, rows);
  }

  static async start(
    host: FakeHost,
    cols = 130,
    rows = 30,
    more: Partial<TuiOptions> = {},
  ): Promise<TuiBench> {
    const bench = new TuiBench(host, cols, rows);
    const { client, hello } = await host.connect();
    bench.#ended = runTui({
      client,
      hello,
      env: { HOME: '/home/x' },
      cwd: '/work',
      terminal: bench.terminal,
      clock: bench.clock,
      ...more,
    }).then((end) => {
      bench.end = end;
    });
    return bench;
  }

  get text(): string {
    return this.terminal.lines().join('\n');
  }

  type(text: string): void {
    this.terminal.type(text);
  }

  /** Waits until the terminal shows the text, or what the pattern describes. */
  sees(wanted: string | RegExp): Promise<void> {
    return this.until(
      () => (typeof wanted === 'string' ? this.text.includes(wanted) : wanted.test(this.text)),
      `the terminal shows ${wanted}`,
    );
  }

  async until(condition: () => boolean, what: string): Promise<void> {
    const end = Date.now() + 20_000;
    while (!condition()) {
      if (Date.now() > end) throw new Error(`It never came to this: ${what}.\n${this.text}`);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }

  /** Everything the view was sent has been drawn and nothing is left to do. */
  async stop(): Promise<void> {
    this.host.hangUp();
    await this.#ended.catch(() => {});
  }
}
