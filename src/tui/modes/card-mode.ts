/**
 * The approval card and its keys. A yes needs a card that has been on the screen for a moment and whose
 * every argument has been on it at all; it always carries the digest that was shown.
 */
import { visible } from '../../cells/visible.ts';
import type { Approval } from '../../rpc/api/approvals.ts';
import { RpcError } from '../../rpc/api/errors.ts';
import { operatorApi } from '../../rpc/api/index.ts';
import { type CardLine, cardArguments, cardHead, cardLines } from '../approval-card.ts';
import { callWords, settledWords } from '../call-words.ts';
import { counted } from '../count.ts';
import { isGuardOver } from '../guard.ts';
import { actionOf, type CardAction, cardKeys, keyFor, stepOf } from '../keymap.ts';
import { isRepeat, keyOf, wheelRows } from '../keys.ts';
import type { Mode } from '../mode.ts';
import { outcomeTold } from '../outcomes.ts';
import { SeenRows } from '../seen-rows.ts';
import type { Token } from '../stage/index.ts';
import { flow, type Line, span, wordWrap } from '../text.ts';
import type { Theme } from '../theme.ts';
import type { Ui } from '../ui.ts';
import { EditMode } from './edit-mode.ts';
import { LineMode } from './line-mode.ts';
import { leaveByClick } from './pane-click.ts';
import { PrefixMode } from './prefix-mode.ts';

/** A key that is held repeats after less than so many ms, and much faster from then on. */
const heldMs = 700;
/** Lines that never scroll: head and gap above, gap and keys below. */
const headLines = 2;
const keyLines = 3;
const footLines = 1 + keyLines;

/** What a frame shows of the card. */
interface Shown {
  readonly digest: string;
  readonly columns: number;
  readonly from: number;
  readonly to: number;
}

export class CardMode implements Mode {
  readonly name = 'card';
  /** A run is text pasted without brackets, if not the tail of what was typed elsewhere: no key of ours. */
  readonly wholeRuns = true;
  readonly #ui: Ui;
  #call: string;
  #approval: Approval | undefined;
  /** The digest the picture lists: it may be older or newer than the one shown. */
  #listed: string | undefined;
  #deciding = false;
  /** Why the card cannot be shown. */
  #problem: string | undefined;
  readonly #seen = new SeenRows();
  #shown: Shown | undefined;
  /** `clock.ticks()` from which on keys count; undefined until the terminal has the card. */
  #armedAt: number | undefined;
  /** The key of the last decision, or of what lay over the card, and when it came last: held down it decides nothing. */
  #decidedWith: { key: string | undefined; at: number } | undefined;
  #lines: CardLine[] = [];
  /** The arguments as they were cut last. */
  #made: { approval: Approval; columns: number; theme: Theme; lines: readonly Line[] } | undefined;
  #scroll = 0;
  #room = 1;
  #missing = 0;
  /** Calls this view decided: the next picture may still list them. */
  readonly #decided = new Set<string>();

  /** Opens the card of `call`; a card that is open already turns to it. */
  static open(ui: Ui, call: string): void {
    ui.home();
    ui.push(new CardMode(ui, call));
  }

  private constructor(ui: Ui, call: string) {
    this.#ui = ui;
    this.#call = call;
    this.#fetch();
  }

  token(token: Token): void {
    if (token.type === 'mouse') {
      // The mouse scrolls or leaves, and never decides.
      if (leaveByClick(this.#ui, token)) return;
      if (token.action === 'wheel') this.#scrollBy(wheelRows(token));
      return;
    }
    const key = keyOf(token);
    if (key === this.#ui.keymap.prefix) {
      this.#ui.push(new PrefixMode(this.#ui, this));
      return;
    }
    const action = actionOf(cardKeys, key);
    if (action === undefined) return;
    // Leaving is always safe; everything else may have been typed for what was there before.
    if (action !== 'leave' && (this.#held(key) || !this.#armed())) return;
    // Where the terminal says that a key is held down, it scrolls and does nothing else.
    if (isRepeat(token) && stepOf(action, 1) === undefined) return;
    const before = this.#deciding;
    this.#act(action);
    if (this.#deciding && !before) this.#decidedWith = { key, at: this.#ui.clock.ticks() };
    this.#ui.refresh();
  }

  #armed(): boolean {
    return isGuardOver(this.#ui.clock, this.#armedAt);
  }

  #held(key: string | undefined): boolean {
    const last = this.#decidedWith;
    const now = this.#ui.clock.ticks();
    if (!last || last.key !== key || now - last.at >= heldMs) return false;
    last.at = now;
    return true;
  }

  /** The card is as good as new: what closed the thing before it, held down, is no answer to the card. */
  uncovered(by: Token | undefined): void {
    const key = by && keyOf(by);
    // Leaving comes back to the card on purpose, and is in no text that one types.
    if (key === 'Esc') return;
    this.#armedAt = undefined;
    if (key !== undefined) this.#decidedWith = { key, at: this.#ui.clock.ticks() };
  }

  #act(action: CardAction): void {
    const step = stepOf(action, Math.max(1, this.#room - 1));
    if (step !== undefined) this.#scrollBy(step);
    if (action === 'leave') this.#ui.pop(this);
    if (action === 'next') this.#turnTo(this.#others(this.#call)[0]);
    if (action === 'previous') this.#turnTo(this.#others(this.#call).at(-1));
    if (!this.#approval || this.#deciding || this.#gone()) return;
    if (action === 'approve') this.#approve();
    if (action === 'deny') void this.#decide('deny');
    if (action === 'deny-with-words') this.#askForWords();
    if (action === 'edit') this.#edit(this.#approval);
  }

  #approve(): void {
    if (this.#missing > 0)
      this.#ui.say(`${counted(this.#missing, 'row', 'more')} to see before y: PageDown.`, 'warning');
    else void this.#decide('approve');
  }

  #askForWords(): void {
    const digest = this.#approval?.summary.digest;
    this.#ui.push(
      new LineMode(this.#ui, {
        label: 'Deny, because: ',
        done: (words) => this.#decide('deny', words, digest),
      }),
    );
  }

  #edit(approval: Approval): void {
    if (!approval.editable) {
      this.#ui.say('The arguments of this call cannot be edited: approve or deny it.', 'warning');
      return;
    }
    this.#ui.push(new EditMode(this.#ui, approval, () => this.#fetch()));
  }

  async #decide(
    decision: 'approve' | 'deny',
    words?: string,
    digest = this.#approval?.summary.digest,
  ): Promise<void> {
    const { summary } = this.#approval ?? {};
    if (!summary || digest === undefined || this.#deciding) return;
    this.#deciding = true;
    try {
      await this.#ui.client.request(operatorApi.decide, {
        call: summary.call,
        digest,
        decision,
        ...(words ? { words } : {}),
      });
      this.#decided.add(summary.call);
      // A call that has ended by now has been spoken of.
      if (!outcomeTold(this.#ui.view.call(summary.call)))
        this.#ui.say(`${decision === 'approve' ? 'Approved' : 'Denied'}: ${callWords(summary)}.`);
      this.#turnTo(this.#others(summary.call)[0]);
    } catch (error) {
      if (error instanceof RpcError && error.is('changed')) this.#fetch();
      if (error instanceof RpcError && error.is('decided')) this.#ui.pop(this);
      this.#ui.complain(error);
    } finally {
      this.#deciding = false;
      this.#ui.refresh();
    }
  }

  /** The waiting calls but `call`: those behind it, then from the oldest on. */
  #others(call: string): string[] {
    const calls = this.#ui.view.picture.waiting.map((waiting) => waiting.call);
    const at = calls.indexOf(call);
    const others = [...calls.slice(at + 1), ...calls.slice(0, Math.max(0, at))];
    return others.filter((other) => !this.#decided.has(other));
  }

  #turnTo(call: string | undefined): void {
    if (call === undefined) {
      if (this.#decided.has(this.#call) || this.#gone()) this.#ui.pop(this);
      return;
    }
    this.#call = call;
    this.#approval = undefined;
    this.#disarm();
    this.#fetch();
  }

  #disarm(): void {
    this.#armedAt = undefined;
    this.#shown = undefined;
    this.#scroll = 0;
  }

  #fetch(): void {
    const call = this.#call;
    this.#problem = undefined;
    this.#ui.client
      .request(operatorApi.showApproval, { call })
      .then((approval) => {
        if (call !== this.#call) return;
        if (approval.summary.digest !== this.#approval?.summary.digest) this.#disarm();
        this.#approval = approval;
      })
      .catch((error: unknown) => {
        if (call === this.#call) this.#problem = error instanceof Error ? error.message : String(error);
      })
      .finally(() => this.#ui.refresh());
  }

  /** How it ended, when it no longer waits. */
  #gone(): string | undefined {
    const { view } = this.#ui;
    if (this.#decided.has(this.#call)) return undefined;
    if (view.picture.waiting.some(({ call }) => call === this.#call)) return undefined;
    const call = view.call(this.#call);
    return call ? settledWords(call) : 'it no longer waits';
  }

  #scrollBy(lines: number): void {
    const last = Math.max(0, this.#lines.length - this.#room);
    const unseen = lines > 0 && this.#scroll >= last ? this.#firstUnseen() : undefined;
    // Pages that were turned faster than they were painted were not seen: on from the end, back to them.
    this.#scroll = unseen ?? Math.max(0, Math.min(last, this.#scroll + lines));
    this.#ui.refresh();
  }

  side(columns: number, rows: number): readonly Line[] {
    const { view, theme } = this.#ui;
    const width = columns - 2;
    const { waiting } = view.picture;
    const at = waiting.findIndex(({ call }) => call === this.#call);
    this.#compare(waiting[at]?.digest);
    const place = at >= 0 ? `${at + 1} of ${waiting.length}` : '';
    const gone = this.#gone();
    const head = cardHead(gone ? 'Settled' : 'Approve?', view.picture.mark, place, width, theme);
    const body = this.#body(width, rows - headLines - footLines);
    return [head, [], ...body, this.#elsewhere(), ...this.#foot(gone, width)].map((line) => [
      span(' '),
      ...line,
    ]);
  }

  /** How many rows are out of sight, below and above. */
  #elsewhere(): Line {
    if (!this.#shown) return [];
    const { from, to } = this.#shown;
    const below = this.#lines.length - to;
    const words = [
      below > 0 ? `↓ ${counted(below, 'row')} below` : '',
      from > 0 ? `↑ ${counted(from, 'row')} above` : '',
    ];
    return [span(words.filter(Boolean).join('   '), this.#ui.theme.styles.dim)];
  }

  /** Asks again when the picture lists another digest than before: what is shown is no longer what waits. */
  #compare(listed: string | undefined): void {
    const before = this.#listed;
    this.#listed = listed;
    if (listed === before || !this.#approval) return;
    if (listed !== undefined && listed !== this.#approval.summary.digest) this.#fetch();
  }

  #body(width: number, rows: number): Line[] {
    const { theme, ages } = this.#ui;
    this.#room = Math.max(1, rows);
    this.#shown = undefined;
    if (!this.#approval) {
      const words = this.#problem ? visible(this.#problem) : 'Asking the host for it.';
      return padded(
        wordWrap(words, width).map((text) => [span(text, theme.styles.dim)]),
        this.#room,
      );
    }
    const { digest } = this.#approval.summary;
    const seq = this.#ui.view.instance(this.#approval.summary.instance)?.seq;
    const now = { ageOf: ages.since, leftUntil: ages.until, seq };
    this.#lines = cardLines(this.#approval, this.#arguments(this.#approval, width), width, theme, now);
    this.#scroll = Math.max(0, Math.min(this.#scroll, this.#lines.length - this.#room));
    const to = Math.min(this.#lines.length, this.#scroll + this.#room);
    this.#shown = { digest, columns: width, from: this.#scroll, to };
    this.#missing = this.#seen.missing(digest, width, this.#must());
    return padded(
      this.#lines.slice(this.#scroll, to).map(({ line }) => line),
      this.#room,
    );
  }

  #arguments(approval: Approval, columns: number): readonly Line[] {
    const { theme } = this.#ui;
    const made = this.#made;
    if (made?.approval === approval && made.columns === columns && made.theme === theme) return made.lines;
    const lines = cardArguments(approval, columns, theme);
    this.#made = { approval, columns, theme, lines };
    return lines;
  }

  /** The first line above what is in sight that must be seen and was not. */
  #firstUnseen(): number | undefined {
    if (!this.#shown) return undefined;
    const { digest, columns, from } = this.#shown;
    // Not before what is in sight was drawn: keys that come at once go on to the end.
    if (from !== this.#scroll) return undefined;
    const line = this.#seen.firstMissing(digest, columns, this.#must());
    return line !== undefined && line < from ? line : undefined;
  }

  /** The lines that must have been seen before a yes. */
  #must(): number[] {
    return this.#lines.flatMap((line, index) => (line.must ? [index] : []));
  }

  #foot(gone: string | undefined, width: number): Line[] {
    const { styles } = this.#ui.theme;
    const key = (name: string, what: string): Line => [
      span(name, styles.accent),
      span(` ${what}`, styles.dim),
    ];
    if (gone) {
      const words = wordWrap(gone, width).map((text): Line => [span(text, styles.warning)]);
      return padded(
        [...words.slice(0, keyLines - 1), [...key('Tab', 'next'), span('   '), ...key('Esc', 'back')]],
        keyLines,
      );
    }
    const unseen: Line = [span(`${counted(this.#missing, 'row', 'more')}: ↓ PgDn`, styles.warning)];
    const keys = [
      ...(this.#approval ? [this.#missing === 0 ? key('y', 'once') : unseen] : []),
      ...(this.#approval?.editable === false ? [] : [key('e', 'edit')]),
      key('n', 'deny'),
      key('N', 'deny with words'),
      key('Tab', 'next'),
      key('Esc', 'leave it waiting'),
    ];
    return padded(flow(keys, width), keyLines);
  }

  /** A frame with the card in it is on its way: once the terminal has it, its rows are seen. */
  rendered(): void {
    const shown = this.#shown;
    if (!shown) return;
    queueMicrotask(() => {
      void this.#ui.stage.whenPainted().then((painted) => {
        if (painted && shown.digest === this.#approval?.summary.digest) this.#painted(shown);
      });
    });
  }

  #painted({ digest, columns, from, to }: Shown): void {
    this.#armedAt ??= this.#ui.clock.ticks();
    this.#seen.add(digest, columns, from, to);
    // Only when the words on the card change: each drawing comes back here.
    if (this.#seen.missing(digest, columns, this.#must()) !== this.#missing) this.#ui.refresh();
  }

  hints() {
    return [
      [keyFor(this.#ui.keymap, 'help'), 'keys'],
      ['Esc', 'leave it waiting'],
    ] as const;
  }
}

function padded(lines: readonly Line[], rows: number): Line[] {
  return Array.from({ length: rows }, (_, index) => lines[index] ?? []);
}
