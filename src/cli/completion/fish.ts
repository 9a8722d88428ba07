/** The script for fish. */
import type { Completed, CompletedOption, Kind } from './completion.ts';

export function fishScript({ commands, options }: Completed): string {
  const none = '__fish_use_subcommand';
  const lines = [
    ...commands.map(
      ({ name, description }) => `complete -c tickmux -n ${none} -a ${name} -d ${quote(description)}`,
    ),
    ...options.map((option) => line(none, option)),
    ...commands.flatMap(({ name, options, operands }) => {
      const here = quote(`__fish_seen_subcommand_from ${name}`);
      const kinds = [...new Set(operands)].flatMap((kind) => {
        const completed = complete(kind);
        return completed === '' ? [] : [`complete -c tickmux -n ${here} ${completed}`];
      });
      return [...options.map((option) => line(here, option)), ...kinds];
    }),
  ];
  return `# fish completion for tickmux: made by \`tickmux completion fish\`
function __tickmux_sessions
    set -l state $HOME/.local/state
    set -q XDG_STATE_HOME; and set state $XDG_STATE_HOME
    for directory in $state/tickmux/run/*/
        basename $directory
    end
end
function __tickmux_instances
    set -l words (commandline -opc)
    set -l session
    for i in (seq (count $words))
        contains -- $words[$i] -s --session; and set session -s $words[(math $i + 1)]
    end
    tickmux ls --json $session 2>/dev/null | string match -ar '"instance":"([^"]*)"' | string match -v '*"*'
end
complete -c tickmux -f
${lines.join('\n')}
`;
}

function line(condition: string, { names, description, value }: CompletedOption): string {
  const flags = names.map((name) => (name.startsWith('--') ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`));
  const values = value === undefined ? '' : ` -r ${complete(value)}`;
  return `complete -c tickmux -n ${condition} ${flags.join(' ')}${values} -d ${quote(description)}`;
}

function complete(kind: Kind): string {
  if (typeof kind !== 'string') return `-a ${quote(kind.join(' '))}`;
  switch (kind) {
    case 'session':
      return "-a '(__tickmux_sessions)'";
    case 'instance':
      return "-a '(__tickmux_instances)'";
    case 'file':
    case 'directory':
      return '-F';
    case 'program':
      return "-a '(__fish_complete_command)'";
    default:
      return '';
  }
}

function quote(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
