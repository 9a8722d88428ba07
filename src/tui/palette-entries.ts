/**
 * What the palette offers for a line: commands, instances and waiting calls in one list, or the words that may
 * follow a command. Pure; runs nothing.
 */
import { visible } from '../cells/visible.ts';
import { callWords } from './call-words.ts';
import { type Command, needsWords } from './commands/command.ts';
import { commandOf, commands } from './commands/index.ts';
import { fuzzyMatch } from './fuzzy.ts';
import type { Ui } from './ui.ts';

export interface Entry {
  /** In words; the command's name where the entry is a word that may follow it. */
  readonly kind: string;
  readonly label: string;
  readonly detail: string;
  /** The command line it stands for, which also tells entries apart. */
  readonly line: string;
  /** The line cannot run yet: more has to be typed. */
  readonly unfinished: boolean;
}

/** An entry and the characters of its label that were asked for, as indexes into its clusters. */
export interface RankedEntry {
  readonly entry: Entry;
  readonly matched: readonly number[];
}

export interface Offer {
  /** The command whose words are being typed. */
  readonly command: Command | undefined;
  /** Best first; in the order of their kinds where nothing was typed. */
  readonly entries: readonly RankedEntry[];
  /** Enter takes the first of them, unless another one is chosen; otherwise it runs the line. */
  readonly firstIsChosen: boolean;
}

/** What there is for the line. */
export function offerFor(ui: Ui, line: string): Offer {
  const typed = line.trimStart();
  const command = commandOf(typed);
  if (!command) {
    const all = [...callEntries(ui), ...commandEntries(), ...instanceEntries(ui)];
    return { command, entries: rank(all, typed), firstIsChosen: typed !== '' };
  }
  const rest = typed.slice(command.name.length + 1).trim();
  const entries = rank(choiceEntries(ui, command), rest);
  // A command that may stand alone, or with words of any kind, is run as it was typed.
  return { command, entries, firstIsChosen: rest !== '' && needsWords(command) };
}

function rank(entries: readonly Entry[], query: string): RankedEntry[] {
  return entries
    .flatMap((entry) => {
      const match = fuzzyMatch(query, entry.label) ?? kindMatch(query, entry.kind);
      return match ? [{ entry, matched: match.at, score: match.score }] : [];
    })
    .sort((a, b) => (a.score === b.score ? 0 : b.score - a.score));
}

/** Letters of a kind that ask for all of it, behind everything that is called so itself. */
const leastKindLetters = 3;

function kindMatch(query: string, kind: string): { at: number[]; score: number } | undefined {
  const typed = query.trim().toLowerCase();
  const asked = typed.length >= leastKindLetters && ` ${kind}`.includes(` ${typed}`);
  return asked ? { at: [], score: Number.NEGATIVE_INFINITY } : undefined;
}

function callEntries(ui: Ui): Entry[] {
  return ui.view.picture.waiting.map((call) => ({
    kind: 'waiting call',
    label: callWords(call),
    detail: `asked by ${visible(call.agent_name)}`,
    line: `approve ${call.call}`,
    unfinished: false,
  }));
}

function commandEntries(): Entry[] {
  return commands.map((command) => ({
    kind: 'command',
    label: command.name,
    detail: command.help,
    line: command.name,
    unfinished: needsWords(command),
  }));
}

function instanceEntries(ui: Ui): Entry[] {
  return ui.view.picture.instances.map(({ instance, title, status, ended }) => ({
    kind: 'instance',
    label: `${instance} ${visible(title)}`,
    detail: status === 'ended' ? visible(ended ?? 'ended') : status,
    line: `show ${instance}`,
    unfinished: false,
  }));
}

function choiceEntries(ui: Ui, command: Command): Entry[] {
  return (command.choices?.(ui) ?? []).map(({ word, detail = '' }) => ({
    kind: command.name,
    label: detail === '' ? visible(word) : `${word} ${detail}`,
    detail: '',
    line: `${command.name} ${word}`,
    unfinished: false,
  }));
}
