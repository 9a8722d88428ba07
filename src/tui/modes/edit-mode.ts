/**
 * Editing the arguments of a waiting call: a form where that will do, else JSON text. The host checks
 * while one types and takes the result; this mode decides nothing.
 */
import type { Static } from '@sinclair/typebox';
import { visible } from '../../cells/visible.ts';
import type { Approval, Complaint } from '../../rpc/api/approvals.ts';
import { RpcError } from '../../rpc/api/errors.ts';
import { operatorApi } from '../../rpc/api/index.ts';
import { cardHead } from '../approval-card.ts';
import { choose, type Field, formOf, formText, settle } from '../edit-form.ts';
import { editWith } from '../edit-keys.ts';
import { type EditLines, formLines, prettyJson, textLines } from '../edit-lines.ts';
import { TextBuffer } from '../editor.ts';
import { actionOf, editorKeys } from '../keymap.ts';
import { isRepeat, keyOf } from '../keys.ts';
import type { Mode } from '../mode.ts';
import type { CursorPlace, Token } from '../stage/index.ts';
import { flow, type Line, span } from '../text.ts';
import type { Ui } from '../ui.ts';
import { leaveByClick } from './pane-click.ts';
import { PrefixMode } from './prefix-mode.ts';

/** The host is asked once nothing was typed for this many ms. */
const checkMs = 250;
const headLines = 3;
const footLines = 3;

export class EditMode implements Mode {
  readonly name = 'edit';
  readonly #ui: Ui;
  readonly #approval: Approval;
  readonly #saved: () => void;
  readonly #form: Field[] | undefined;
  readonly #text: TextBuffer;
  #chosen = 0;
  #complaints: Static<typeof Complaint>[] = [];
  #cancelCheck: (() => void) | undefined;
  /** Counts changes, so that an answer about an older text is dropped. */
  #version = 0;
  #saving = false;
  #scroll = 0;
  #cursor = { x: 0, y: 0 };

  constructor(ui: Ui, approval: Approval, saved: () => void) {
    this.#ui = ui;
    this.#approval = approval;
    this.#saved = saved;
    this.#form = formOf(approval.arguments_text, approval.schema);
    this.#text = new TextBuffer(prettyJson(approval.arguments_text), { multiline: true });
  }

  left(): void {
    this.#cancelCheck?.();
  }

  token(token: Token): void {
    if (token.type === 'mouse') {
      leaveByClick(this.#ui, token);
      return;
    }
    const key = keyOf(token);
    const action = actionOf(editorKeys, key);
    const version = this.#value();
    if (key === this.#ui.keymap.prefix) this.#ui.push(new PrefixMode(this.#ui, this));
    else if (action === 'leave') this.#ui.pop(this);
    else if (isRepeat(token) && (action === 'save' || (this.#form && key === 'Enter'))) return;
    else if (action === 'save') void this.#save();
    else if (action === 'undo') this.#buffer()?.undo();
    else if (action === 'redo') this.#buffer()?.redo();
    else if (action === 'next-choice' || action === 'previous-choice') {
      const chosen = this.#form?.[this.#chosen];
      if (chosen) choose(chosen, action === 'next-choice' ? 1 : -1);
    } else if (this.#form) this.#formKey(this.#form, key, token);
    else this.#textKey(key, token);
    const field = this.#form?.[this.#chosen];
    if (field && (action === 'undo' || action === 'redo'))
      field.absent = field.buffer.text === '' && field.before === undefined;
    if (this.#value() !== version) this.#changed();
    this.#ui.refresh();
  }

  #buffer(): TextBuffer | undefined {
    return this.#form ? this.#form[this.#chosen]?.buffer : this.#text;
  }

  #value(): string {
    return this.#form ? formText(this.#form) : this.#text.text;
  }

  #formKey(form: Field[], key: string | undefined, token: Token): void {
    const last = form.length;
    if (key === 'Enter' && this.#chosen === last) void this.#save();
    else if (key === 'Down' || key === 'Tab' || key === 'Enter')
      this.#chosen = Math.min(last, this.#chosen + 1);
    else if (key === 'Up' || key === 'S-Tab') this.#chosen = Math.max(0, this.#chosen - 1);
    else {
      const field = form[this.#chosen];
      if (!field) return;
      const { text } = field.buffer;
      if (key === 'Backspace' && text === '') field.absent = true;
      else if (editWith(field.buffer, token) && field.buffer.text !== text) {
        if (field.buffer.text !== '') field.absent = false;
        settle(field);
      }
    }
  }

  #textKey(key: string | undefined, token: Token): void {
    if (key === 'Enter') this.#text.insert('\n');
    else if (key === 'Tab') this.#text.insert('  ');
    else if (key === 'Up') this.#text.vertical(-1);
    else if (key === 'Down') this.#text.vertical(1);
    else if (key === 'PageUp') this.#text.vertical(-10);
    else if (key === 'PageDown') this.#text.vertical(10);
    else editWith(this.#text, token);
  }

  #changed(): void {
    this.#version++;
    this.#cancelCheck?.();
    this.#cancelCheck = this.#ui.clock.delay(() => void this.#check(), checkMs);
  }

  /** Undefined, and a complaint, when it is no JSON. */
  #json(): string | undefined {
    const text = this.#value();
    try {
      JSON.parse(text);
      return text;
    } catch (error) {
      this.#complaints = [{ path: '', message: `Not yet JSON: ${(error as Error).message}` }];
      return undefined;
    }
  }

  async #check(): Promise<void> {
    const version = this.#version;
    const text = this.#json();
    if (text !== undefined) {
      try {
        const { complaints } = await this.#send(text, true);
        if (version === this.#version) this.#complaints = complaints;
      } catch (error) {
        this.#ui.complain(error);
      }
    }
    this.#ui.refresh();
  }

  async #save(): Promise<void> {
    const text = this.#json();
    if (text === undefined || this.#saving) return;
    this.#cancelCheck?.();
    this.#saving = true;
    this.#version++;
    try {
      const { accepted, complaints } = await this.#send(text, false);
      this.#complaints = complaints;
      if (accepted) {
        this.#ui.pop(this);
        this.#saved();
      }
    } catch (error) {
      // Nothing can be saved to what is no longer there.
      if (error instanceof RpcError && error.is('decided')) this.#ui.pop(this);
      this.#ui.complain(error);
    } finally {
      this.#saving = false;
      this.#ui.refresh();
    }
  }

  #send(text: string, checkOnly: boolean) {
    const { call, digest } = this.#approval.summary;
    return this.#ui.client.request(operatorApi.edit, {
      call,
      digest,
      arguments_text: text,
      ...(checkOnly ? { check_only: true } : {}),
    });
  }

  side(columns: number, rows: number): readonly Line[] {
    const { theme, view } = this.#ui;
    const { styles } = theme;
    const width = columns - 2;
    const { lines, cursor } = this.#lines(width);
    const room = Math.max(1, rows - headLines - footLines);
    if (cursor.y >= this.#scroll + room) this.#scroll = cursor.y - room + 1;
    this.#scroll = Math.max(0, Math.min(this.#scroll, cursor.y));
    this.#cursor = { x: 1 + cursor.x, y: headLines + cursor.y - this.#scroll };
    const shown = lines.slice(this.#scroll, this.#scroll + room);
    const gaps = Array.from({ length: room - shown.length }, (): Line => []);
    const key = (name: string, what: string): Line => [
      span(name, styles.accent),
      span(` ${what}`, styles.dim),
    ];
    const what = visible(`${this.#approval.summary.tool}   on ${this.#approval.summary.instance ?? ''}`);
    return [
      cardHead('Edit', view.picture.mark, '', width, theme),
      [span(what, styles.dim)],
      [],
      ...shown,
      ...gaps,
      [],
      ...flow(
        [
          ...(this.#form?.[this.#chosen]?.choices.length ? [key('C-n', 'next value')] : []),
          key('C-s', 'save'),
          key('C-z', 'undo'),
          key('Esc', 'leave as it was'),
        ],
        width,
      ),
    ].map((line) => [span(' '), ...line]);
  }

  #lines(width: number): EditLines {
    if (this.#form) return formLines(this.#form, this.#chosen, this.#complaints, width, this.#ui.theme);
    return textLines(this.#text, this.#complaints, width - 1, this.#ui.theme);
  }

  cursor(): CursorPlace {
    const { x, y } = this.#ui.regions?.side ?? { x: 0, y: 0 };
    return { screen: { x: x + 1 + this.#cursor.x, y: y + this.#cursor.y } };
  }

  hints() {
    return [
      ['C-s', 'save'],
      ['Esc', 'leave as it was'],
    ] as const;
  }
}
