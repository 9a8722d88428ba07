/**
 * Answers what a program asks of its terminal and the emulator leaves without an answer: XTVERSION and DA3.
 * Never says anything of the machine or of the operators' terminals.
 */
import type { EmulatorCore } from './core.ts';

export function answerQueries(core: EmulatorCore, reply: (text: string) => void): void {
  const answer = (prefix: string, final: string, text: string) =>
    core.registerCsiHandler({ prefix, final }, ({ params, length }) => {
      if (length === 0 || params[0] === 0) reply(text);
      return true;
    });
  answer('>', 'q', '\x1bP>|tickmux\x1b\\');
  // The number of the unit: none, as xterm says.
  answer('=', 'c', '\x1bP!|00000000\x1b\\');
}
