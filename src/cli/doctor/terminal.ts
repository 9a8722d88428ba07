/** What this terminal says of itself: by its variables, and by its answers to questions. */
import type { Context } from '../context.ts';
import { hasTerminal } from '../context.ts';
import { type Check, fail, ok, warn } from './check.ts';

/** All terminals answer the last question; over a slow line it takes this long. */
const answerMs = 1_000;

const kittyQuestion = '\x1b[?u';
const synchronizedQuestion = '\x1b[?2026$p';
/** Sets a colour, asks which one is set, and sets it back. */
const colourQuestion = '\x1b[48:2::1:2:3m\x1bP$qm\x1b\\\x1b[49m';
/** Every terminal answers: what has not come before it does not come. */
const attributesQuestion = '\x1b[c';

export function checkVariables(env: NodeJS.ProcessEnv): Check[] {
  const { TERM, COLORTERM } = env;
  const term =
    !TERM || TERM === 'dumb'
      ? fail(
          'TERM',
          TERM ? 'is dumb: this terminal cannot place text' : 'is not set',
          'use a terminal emulator; most set TERM by themselves',
        )
      : ok('TERM', TERM);
  const colour =
    COLORTERM === 'truecolor' || COLORTERM === '24bit'
      ? ok('COLORTERM', COLORTERM)
      : warn(
          'COLORTERM',
          COLORTERM ? `is ${COLORTERM}` : 'is not set',
          'export COLORTERM=truecolor if your terminal has 16 million colours; over ssh let it through with SendEnv',
        );
  return [term, colour, checkLocale(env)];
}

function checkLocale(env: NodeJS.ProcessEnv): Check {
  // The first one that is set counts, as in setlocale(3).
  const [name, value] = (['LC_ALL', 'LC_CTYPE', 'LANG'] as const)
    .map((variable) => [variable, env[variable]] as const)
    .find(([, text]) => text) ?? ['LANG', undefined];
  if (value && /utf-?8/i.test(value)) return ok('locale', `${name}=${value}`);
  return warn(
    'locale',
    value ? `${name}=${value} is not UTF-8` : 'is not set',
    'export LANG=C.UTF-8 (or another UTF-8 locale): programs in panes draw letters and lines by it',
  );
}

export async function checkAnswers(context: Context): Promise<Check[]> {
  if (!hasTerminal(context)) {
    return [
      warn(
        'terminal',
        'standard input or output is no terminal: it was not asked',
        'run `tickmux doctor` in a terminal',
      ),
    ];
  }
  return judge(await ask(context));
}

/** @param answers everything the terminal sent */
export function judge(answers: string): Check[] {
  const attributes = /\x1b\[\?([\d;]*)c/.exec(answers);
  if (!attributes) {
    return [
      fail(
        'terminal',
        `did not answer within ${answerMs / 1_000} s`,
        'look whether something between you and it swallows its answers; tickmux works only on terminals that answer',
      ),
    ];
  }
  const kitty = /\x1b\[\?(\d+)u/.exec(answers);
  const synchronized = /\x1b\[\?2026;([0-4])\$y/.exec(answers);
  const colour = /\x1bP1\$r([^\x1b]*)m/.exec(answers);
  const truecolor = colour?.[1] !== undefined && /48[:;]2[:;]+(?:0[:;])?1[:;]2[:;]3/.test(colour[1]);
  return [
    ok('terminal', `answers (attributes ${attributes[1]})`),
    kitty
      ? ok('keyboard', `kitty protocol (flags ${kitty[1]})`)
      : warn(
          'keyboard',
          'no kitty protocol',
          'all works; some keys, such as Ctrl-Enter, look like others to programs',
        ),
    synchronized && synchronized[1] !== '0' && synchronized[1] !== '4'
      ? ok('synchronized output', 'mode 2026')
      : warn('synchronized output', 'no mode 2026', 'all works; large changes may be seen half drawn'),
    truecolor
      ? ok('colours', '16 million')
      : warn(
          'colours',
          'the terminal does not say that it has 16 million',
          'the theme "terminal" needs only sixteen',
        ),
  ];
}

/** Asks everything at once, with the question every terminal answers last. What was typed meanwhile is lost. */
function ask({ stdin, stdout }: Context): Promise<string> {
  return new Promise((resolve) => {
    let answers = '';
    const done = () => {
      clearTimeout(timer);
      stdin.off('data', hear);
      stdin.setRawMode(false);
      stdin.pause();
      resolve(answers);
    };
    const hear = (chunk: Buffer) => {
      answers += chunk.toString('latin1');
      if (/\x1b\[\?[\d;]*c/.test(answers)) done();
    };
    const timer = setTimeout(done, answerMs);
    stdin.setRawMode(true);
    stdin.on('data', hear);
    stdin.resume();
    stdout.write(kittyQuestion + synchronizedQuestion + colourQuestion + attributesQuestion);
  });
}

/** kitty keyboard: all that was pushed, and what is set. Each of the two screens has its own. */
const keyboardReset = '\x1b[<99u\x1b[=0;1u';

/** Leaves every mode that a program could have left on. */
export const resetSequence = [
  '\x18', // whatever sequence was cut in the middle
  '\x1b\\',
  '\x1b[?2026l', // synchronized output
  keyboardReset, // of the alternate screen, if it is the one shown
  '\x1b[?1049l', // alternate screen
  keyboardReset,
  '\x1b[>4;0m', // modifyOtherKeys
  '\x1b[?9l\x1b[?1000l\x1b[?1001l\x1b[?1002l\x1b[?1003l', // mouse
  '\x1b[?1005l\x1b[?1006l\x1b[?1015l\x1b[?1016l',
  '\x1b[?1004l', // focus
  '\x1b[?2004l', // bracketed paste
  '\x1b[?1l\x1b>', // cursor keys, keypad
  '\x1b[?5l', // reverse video
  '\x1b[4l\x1b[20l', // insert, newline
  '\x1b[?69l\x1b[?6l\x1b[r\x1b[999;1H', // margins, origin: they move the cursor, which a prompt wants at the bottom
  '\x1b[?7h', // auto-wrap
  '\x1b(B\x1b)B\x0f', // characters
  '\x1b]8;;\x1b\\', // link
  '\x1b[0m', // colours
  '\x1b[0 q\x1b[?25h', // cursor
].join('');
