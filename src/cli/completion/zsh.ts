/** The script for zsh: an autoloaded function, `_tickmux` somewhere in fpath. */
import type { Completed, CompletedCommand, CompletedOption, Kind } from './completion.ts';

export function zshScript({ commands, options }: Completed): string {
  return `#compdef tickmux
# zsh completion for tickmux: made by \`tickmux completion zsh\`
_tickmux_sessions() {
  local -a names
  names=("\${XDG_STATE_HOME:-$HOME/.local/state}"/tickmux/run/*(N/:t))
  compadd -a names
}
_tickmux_instances() {
  local -a ids session
  local i
  for ((i = 2; i < $#typed; i++)); do
    [[ $typed[i] == (-s|--session) ]] && session=(-s $typed[i+1])
  done
  ids=(\${(f)"$(tickmux ls --json $session 2>/dev/null | grep -o '"instance":"[^"]*"' | cut -d'"' -f4)"})
  compadd -a ids
}
_tickmux() {
  local context state line
  # All of it: below, the words begin at the command.
  local -a typed=("\${words[@]}")
  typeset -A opt_args
  _arguments -C \\
${options.map((option) => `    ${argument(option)} \\\n`).join('')}    '(-): :->command' \\
    '(-)*:: :->rest'
  case "$state" in
    command)
      local -a commands
      commands=(
${commands.map(({ name, description }) => `        ${quote(`${name}:${description}`)}\n`).join('')}      )
      _describe command commands
      ;;
    rest)
      case "\${line[1]}" in
${commands.map(branch).join('')}      esac
      ;;
  esac
}
_tickmux "$@"
`;
}

function branch({ name, options, operands, variadic }: CompletedCommand): string {
  const rest = operands.map((kind, index) => {
    const at = variadic && index === operands.length - 1 ? '*' : String(index + 1);
    return quote(`${at}: :${complete(kind)}`);
  });
  const specs = [...options.map(argument), ...rest];
  return `        ${name}) _arguments ${specs.join(' ')} ;;\n`;
}

function argument({ names, description, value }: CompletedOption): string {
  const others = names.length > 1 ? `(${names.join(' ')})` : '';
  const words = description.replace(/[[\]:]/g, '\\$&');
  const [first = ''] = names;
  const rest = `[${words}]${value === undefined ? '' : `: :${complete(value)}`}`;
  if (names.length === 1) return quote(`${first}${rest}`);
  return `'${others}'{${names.join(',')}}${quote(rest)}`;
}

function complete(kind: Kind): string {
  if (typeof kind !== 'string') return `(${kind.join(' ')})`;
  switch (kind) {
    case 'session':
      return '_tickmux_sessions';
    case 'instance':
      return '_tickmux_instances';
    case 'file':
      return '_files';
    case 'directory':
      return '_files -/';
    case 'program':
      return '_command_names -e';
    default:
      return ' ';
  }
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
