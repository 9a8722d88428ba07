/**
 * What the operator's terminal is asked to tell beyond the usual, and how that is taken back: keys by the kitty
 * keyboard protocol where it speaks it, else by xterm's modifyOtherKeys, and the mouse's motion. Says what to
 * write; never writes itself.
 */
import { allKittyFlags, kittyFlag } from '../../cells/frame.ts';
import type { ReplyToken } from './token.ts';

/** Keys apart from each other, with what they are on other layouts; what types text still comes as text. */
const usualFlags = kittyFlag.disambiguate | kittyFlag.alternates;

/** The first is answered only by terminals that speak the protocol, the second by all. */
const kittyQuestion = '\x1b[?u\x1b[c';
/** A terminal that takes the question for an underline forgets that again. */
const otherKeysQuestion = '\x1b7\x1b[?4m\x1b8';

/** What the focused program asked for. */
export interface WantedInput {
  /** Every key with all that is known of it, also when it is let go of; else text is text, and keys are pressed. */
  readonly everyKey: boolean;
  /** Where the mouse is while no button is down. */
  readonly motion: boolean;
}

const [motionOn, motionOff] = ['\x1b[?1003h', '\x1b[?1003l\x1b[?1002h'];

type Protocol = 'kitty' | 'modifyOtherKeys';

export class OuterInput {
  #protocol: Protocol | undefined;
  /** What was asked about last, until there is an answer. */
  #asking: Protocol | undefined;
  /** A question that the next frame asks. */
  #question = '';
  #wanted: WantedInput = { everyKey: false, motion: false };
  /** What the terminal has been told since it was entered; undefined: nothing. */
  #told: number | 'modifyOtherKeys' | undefined;
  #toldMotion = false;

  /** For the end of what enters the terminal. What it answers comes when it comes: nothing waits for it. */
  enter(): string {
    this.#told = undefined;
    this.#toldMotion = false;
    this.#question = '';
    if (this.#protocol !== undefined) return this.change();
    this.#asking = 'kitty';
    return this.change() + kittyQuestion;
  }

  /** For the start of what gives the terminal back: its two screens each have flags of their own. */
  leave(): string {
    const told = this.#told;
    this.#told = undefined;
    if (told === undefined) return '';
    return told === 'modifyOtherKeys' ? '\x1b[>4m' : '\x1b[<u';
  }

  /** Says whether there is something to write because of the answer. */
  answered({ kind, body }: ReplyToken): boolean {
    if (this.#asking === undefined) return false;
    if (kind === 'keyboard') this.#adopt(body.startsWith('?') ? 'kitty' : 'modifyOtherKeys');
    else if (kind === 'attributes' && this.#asking === 'kitty') {
      this.#asking = 'modifyOtherKeys';
      this.#question = otherKeysQuestion;
    } else return false;
    return true;
  }

  /** Says whether there may be something to write because of it. */
  want(wanted: WantedInput): boolean {
    const { everyKey, motion } = this.#wanted;
    this.#wanted = wanted;
    return wanted.everyKey !== everyKey || wanted.motion !== motion;
  }

  /** What to write for the terminal to be told all; '' when it is. */
  change(): string {
    const question = this.#question;
    this.#question = '';
    return question + this.#tellKeys() + this.#tellMotion();
  }

  #adopt(protocol: Protocol): void {
    this.#protocol = protocol;
    this.#asking = undefined;
  }

  #tellMotion(): string {
    const { motion } = this.#wanted;
    if (motion === this.#toldMotion) return '';
    this.#toldMotion = motion;
    return motion ? motionOn : motionOff;
  }

  #tellKeys(): string {
    const told = this.#told;
    if (this.#protocol === 'modifyOtherKeys') {
      this.#told = 'modifyOtherKeys';
      return told === undefined ? '\x1b[>4;1m' : '';
    }
    if (this.#protocol !== 'kitty') return '';
    const flags = this.#wanted.everyKey ? allKittyFlags : usualFlags;
    this.#told = flags;
    if (told === flags) return '';
    return told === undefined ? `\x1b[>${flags}u` : `\x1b[=${flags};1u`;
  }
}
