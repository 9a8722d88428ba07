/**
 * What `--help` says after synopsis and options, as data: details, exit codes, environment, files, examples.
 * `test/cli/help.test.ts` holds that no command is left out.
 */
import { exitCodes } from './exit.ts';

export interface HelpPage {
  /** Paragraphs. */
  details?: readonly string[];
  /** Those that can happen; code to meaning. */
  exits: Readonly<Record<number, string>>;
  /** Variables that change something, to what they do. */
  environment?: Readonly<Record<string, string>>;
  files?: Readonly<Record<string, string>>;
  examples: Readonly<Record<string, string>>;
}

const columns = 100;

export function pageText({ details = [], exits, environment = {}, files = {}, examples }: HelpPage): string {
  const table = (title: string, entries: Readonly<Record<string, string>>) => {
    const rows = Object.entries(entries);
    if (rows.length === 0) return [];
    const width = Math.min(44, Math.max(...rows.map(([term]) => term.length)) + 2);
    const lines = rows.flatMap(([term, words]) => {
      const text = wrap(words, columns - width - 2);
      // A term that is too long has a line of its own.
      const first =
        term.length + 2 > width
          ? [`  ${term}`, `${' '.repeat(width + 2)}${text[0]}`]
          : [`  ${term.padEnd(width)}${text[0]}`];
      return [...first, ...text.slice(1).map((line) => ' '.repeat(width + 2) + line)];
    });
    return ['', `${title}:`, ...lines];
  };
  return [
    ...details.flatMap((paragraph) => ['', ...wrap(paragraph, columns)]),
    ...table('Exit codes', Object.fromEntries(Object.entries(exits))),
    ...table('Environment', environment),
    ...table('Files', files),
    ...table('Examples', examples),
  ].join('\n');
}

function wrap(text: string, width: number): string[] {
  const lines: string[] = [''];
  for (const word of text.split(' ')) {
    const line = lines.at(-1) as string;
    if (line !== '' && line.length + 1 + word.length > width) lines.push(word);
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`;
  }
  return lines;
}

const { ok, refused, usage, unknown } = exitCodes;
const wrongUsage = { [usage]: 'the command line makes no sense' };
const noTerminal = { [usage]: 'the command line makes no sense, or there is no terminal' };

const session = { TICKMUX_SESSION: 'the session, where -s names none; set in every pane' };
const agentSocket = { TICKMUX_AGENT_SOCKET: "the agents' socket, instead of the session's own" };
const inside = { TICKMUX_INSTANCE: 'set in every pane: from there this is proposed, and a person decides' };
const state = { XDG_STATE_HOME: 'where sockets, journals and logs are, instead of ~/.local/state' };
const configHome = { XDG_CONFIG_HOME: 'where the configuration is, instead of ~/.config' };

const configFile = { '~/.config/tickmux/config.jsonc': 'settings; `tickmux schema config` lists them' };
const sessionFiles = {
  '~/.local/state/tickmux/run/SESSION/': 'operator.sock, agent.sock and host.pid of a session that runs',
  '~/.local/state/tickmux/sessions/SESSION/':
    'journal.jsonl, full ones before it, and host.log of each session there was',
};

const proposed = {
  [ok]: 'it was done',
  [refused]: 'it was refused, denied, withdrawn or failed: nothing more will happen',
  ...wrongUsage,
  [unknown]: 'it was sent and no answer came: it may have run. Look, then decide; it is never sent again',
};
const asked = {
  [ok]: 'done',
  [refused]: 'there is no such host, instance or call, or it refused',
  ...wrongUsage,
};

export const programPage: HelpPage = {
  details: ['`tickmux COMMAND --help` tells all about a command.'],
  exits: {
    [ok]: 'done',
    [refused]: 'refused or failed: nothing more will happen',
    [usage]: 'the command line makes no sense, or there is no terminal where one is needed',
    [unknown]: 'outcome unknown: a call was sent and no answer came, it may have run',
  },
  environment: {
    ...session,
    ...inside,
    ...agentSocket,
    SHELL: 'the shell of new panes, unless the configuration names one',
    ...configHome,
    ...state,
    NO_COLOR:
      'set to anything: no colours in the output of commands, and the monochrome theme unless another is configured',
  },
  files: {
    ...configFile,
    '~/.config/tickmux/themes/NAME.json': 'further themes; `tickmux schema theme` tells their format',
    '~/.local/state/tickmux/remembered.json': 'what the palette chose last; may be removed at any time',
    ...sessionFiles,
  },
  examples: {
    tickmux: 'attach to session main, starting it if need be',
    'tickmux -s work --shell -- vim a.txt': 'open vim in a new tab of session work, and attach',
    'tickmux -s work -f work.jsonc': 'open a workspace in the new session work',
    'tickmux open -- ./my-tick': 'start a Tick without attaching',
    'tickmux call hosted:1 add \'{"by":2}\'': "propose a call and wait for a person's decision",
    'tickmux doctor': 'check terminal, machine and configuration',
  },
};

export const commandPages: Readonly<Record<string, HelpPage>> = {
  attach: {
    details: [
      'Shows a session in this terminal, starting its host when it has none; a new session opens a shell. With CMD ' +
        'it opens that program in a new tab first. Detaching (C-b d) leaves everything running.',
      'With -f everything a workspace file lists is opened, which takes a session that has no programs yet.',
    ],
    exits: {
      [ok]: 'detached, or the session ended',
      [refused]: 'no host could be reached or started',
      ...noTerminal,
    },
    environment: { ...session, ...configHome, ...state, SHELL: 'the shell of new panes' },
    files: { ...configFile, ...sessionFiles },
    examples: {
      'tickmux attach': 'the same as `tickmux`',
      'tickmux -s ops --shell -- htop': 'htop in a new tab of session ops',
      'tickmux -s work -f work.jsonc': 'a workspace in a new session',
    },
  },
  save: {
    details: [
      'Writes tabs, panes, command lines, directories and names; never an environment, and nothing of what programs ' +
        'show or hold. Command lines are written as they are: look for passwords before you hand the file on.',
    ],
    exits: {
      [ok]: 'saved',
      [refused]: 'there is no such session, or the file is there already',
      ...wrongUsage,
    },
    environment: { ...session, ...state },
    examples: {
      'tickmux save work.jsonc': 'save this session',
      'tickmux -s ops save > ops.jsonc': 'print another one',
      'tickmux -s again -f work.jsonc': 'open it in a new session',
    },
  },
  log: {
    details: [
      'One line for each proposal, decision, outcome, start and end, newest last.',
      'With --calls, or an option that says which, it lists calls from the journal instead: when each was proposed and by ' +
        'whom, its arguments, who decided, and how it ended. That needs no host.',
    ],
    exits: asked,
    environment: { ...session, ...state },
    files: sessionFiles,
    examples: {
      'tickmux log -n 50': 'the fifty newest entries',
      'tickmux log -f --json': 'follow it, one JSON value a line',
      'tickmux log --outcome unknown': 'calls of which nobody knows whether they ran',
      'tickmux log --agent deployer --since 2h --json': 'what one agent did, one JSON value a call',
      'tickmux log --verify': 'look the journal through, also of a session that ended',
    },
  },
  host: {
    details: [
      '`tickmux` starts a host in the background by itself; this is for running one under a supervisor or in a ' +
        'container. It ends on SIGTERM, SIGINT and SIGHUP, with its programs; SIGUSR1 makes its sockets anew.',
    ],
    exits: {
      [ok]: 'it ended as it was told to',
      [refused]: 'the session has a host already, or it could not run',
      ...wrongUsage,
    },
    environment: { ...session, ...configHome, ...state },
    files: { ...configFile, ...sessionFiles },
    examples: {
      'tickmux host -s ci --allow-cli-decisions': 'a session that scripts decide in',
      'tickmux host -s ops --playbook rules.jsonc': 'with the rules driver as its agent',
    },
  },
  'list-sessions': {
    details: [
      '`tickmux sessions` is the same. A host that was stopped is told as such and not waited for. Sessions that ' +
        'ended as they should are not listed.',
    ],
    exits: { [ok]: 'listed, also when there is none', ...wrongUsage },
    environment: state,
    examples: {
      'tickmux list-sessions': 'a table',
      "tickmux sessions --json | jq -r '.sessions[].session'": 'the names alone',
    },
  },
  'kill-session': {
    details: ['Programs get SIGTERM, and SIGKILL after two seconds; what waits for a decision is withdrawn.'],
    exits: { [ok]: 'it ended', [refused]: 'there is no such session, or it is still ending', ...wrongUsage },
    environment: { ...session, ...state },
    examples: { 'tickmux kill-session -s ops': 'end session ops' },
  },
  demo: {
    details: [
      'The same as `npm start` in a clone: a market, a counter, a notepad and the rules loop as the agent.',
    ],
    exits: {
      [ok]: 'detached, or the session ended',
      [refused]: 'no host could be reached or started',
      ...noTerminal,
    },
    environment: { ...configHome, ...state },
    examples: { 'tickmux demo': 'look around; C-b ? lists the keys' },
  },
  open: {
    details: [
      'Prints the id of the new instance. A Tick is started and must answer within its time; --shell is for programs ' +
        'that speak no Tick protocol. From inside a pane this is proposed, and a person decides.',
    ],
    exits: proposed,
    environment: { ...session, ...inside, SHELL: 'what --shell starts when no CMD is given' },
    examples: {
      'tickmux open -- node my-tick.mjs': 'a Tick',
      'tickmux open --shell --cwd ~/src -- make test': 'an ordinary program',
      'tickmux open --shell': 'a shell',
    },
  },
  ls: {
    exits: asked,
    environment: { ...session, ...agentSocket },
    examples: {
      'tickmux ls': 'a table',
      "tickmux ls --json | jq -r '.instances[].instance'": 'the ids alone',
    },
  },
  describe: {
    details: ['Asked of the Tick afresh: protocol, kind, tools with their schemas, state schema.'],
    exits: asked,
    environment: { ...session, ...agentSocket },
    examples: {
      'tickmux describe hosted:1': 'for people',
      'tickmux describe hosted:1 --json': 'for programs',
    },
  },
  read: {
    details: ['Asked of the Tick afresh. Reading changes nothing and waits for nobody.'],
    exits: asked,
    environment: { ...session, ...agentSocket },
    examples: { "tickmux read hosted:1 | jq '.bid'": 'one member of the state' },
  },
  screen: {
    details: ['The text alone, without colours, as wide and high as its pane is.'],
    exits: asked,
    environment: session,
    examples: { 'tickmux screen shell:2': 'what is to be seen there now' },
  },
  type: {
    details: [
      'The text is typed as it is, and no key after it: --enter presses Enter. From inside a pane this is proposed, and ' +
        'a person decides.',
    ],
    exits: proposed,
    environment: { ...session, ...inside },
    examples: {
      "tickmux type shell:2 'make test' --enter": 'a command line and Enter',
      'tickmux type shell:2 - < words.txt': 'what a file holds',
    },
  },
  close: {
    details: ['SIGTERM, and SIGKILL after two seconds. Its pane keeps the last screen.'],
    exits: proposed,
    environment: { ...session, ...inside },
    examples: { 'tickmux close shell:2': 'end it' },
  },
  restart: {
    details: ['The same command in the same place. A program that still runs is refused: close it first.'],
    exits: proposed,
    environment: { ...session, ...inside },
    examples: { 'tickmux restart hosted:1': 'start it again' },
  },
  call: {
    details: [
      'A tool that changes something waits until a person approves it; Ctrl-C withdraws it while it waits. What runs ' +
        'is byte for byte what was shown.',
    ],
    exits: proposed,
    environment: { ...session, ...agentSocket },
    examples: {
      "tickmux call hosted:1 add '{\"amount\":2}' --reason 'a try'": 'propose and wait',
      'echo \'{"amount":2}\' | tickmux call hosted:1 add - --no-wait --json':
        'propose; prints call and secret',
    },
  },
  status: {
    exits: proposed,
    environment: { ...session, ...agentSocket },
    examples: { 'tickmux status call:7 --secret SECRET --wait 60': 'wait up to a minute for its outcome' },
  },
  pending: {
    exits: asked,
    environment: session,
    examples: { 'tickmux pending': 'what waits, oldest first, with the start of each digest' },
  },
  approve: {
    details: [
      'Prints the call in full and approves exactly what was printed. Only where the host was started with ' +
        '--allow-cli-decisions, and never from inside a pane.',
    ],
    exits: {
      ...asked,
      [refused]: 'there is no such call, it changed, or decisions by command are not allowed',
    },
    environment: session,
    examples: { 'tickmux approve call:7 --digest 3fa1': 'only if it is still what `pending` listed' },
  },
  deny: {
    details: ['The words reach the agent. Only where the host was started with --allow-cli-decisions.'],
    exits: {
      ...asked,
      [refused]: 'there is no such call, it changed, or decisions by command are not allowed',
    },
    environment: session,
    examples: { 'tickmux deny call:7 not before noon': 'with words' },
  },
  doctor: {
    details: [
      'One line each: ok, warn or fail, what was found, and what to do next. In a terminal it asks the terminal what ' +
        'it can do, which takes a moment. --reset instead leaves the alternate screen, turns mouse, paste, focus and ' +
        'keyboard modes off, shows the cursor, resets colours, characters, margins and wrapping, and runs stty sane.',
    ],
    exits: { [ok]: 'nothing failed', [refused]: 'something failed', ...wrongUsage },
    environment: { ...configHome, ...state, TERM: 'and COLORTERM, LANG, LC_ALL, TMUX: are checked' },
    files: configFile,
    examples: {
      'tickmux doctor': 'check everything',
      'tickmux doctor --json': 'for programs',
      'tickmux doctor --reset': 'mend this terminal',
    },
  },
  schema: {
    details: ['NAME is config (the default), workspace, playbook or theme.'],
    exits: { [ok]: 'printed', ...wrongUsage },
    examples: {
      'tickmux schema workspace > workspace.schema.json': 'for an editor that checks while you type',
    },
  },
  completion: {
    details: ['Completes commands, options, sessions and, by asking the host, instances.'],
    exits: { [ok]: 'printed', ...wrongUsage },
    examples: {
      'tickmux completion bash > ~/.local/share/bash-completion/completions/tickmux': 'bash',
      'tickmux completion zsh > "$fpath[1]/_tickmux"': 'zsh; before compinit runs',
      'tickmux completion fish > ~/.config/fish/completions/tickmux.fish': 'fish',
    },
  },
};
