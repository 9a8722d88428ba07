/** The script for bash; works with bash 3.2 and without the bash-completion package. */
import type { Completed, CompletedOption, Kind } from './completion.ts';

export function bashScript({ commands, options }: Completed): string {
  const names = commands.map(({ name }) => name).join(' ');
  return `# bash completion for tickmux: made by \`tickmux completion bash\`
_tickmux_words() { # words that begin with what is typed; a colon in them breaks words in bash
  local word="$1" reply line; shift
  COMPREPLY=()
  while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen -W "$*" -- "$word")
  if [[ $word == *:* && $COMP_WORDBREAKS == *:* ]]; then
    local before="\${word%"\${word##*:}"}" i
    for i in "\${!COMPREPLY[@]}"; do COMPREPLY[i]="\${COMPREPLY[i]#"$before"}"; done
  fi
}
_tickmux_paths() {
  local line
  COMPREPLY=()
  while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen "$1" -- "$2")
  compopt -o filenames 2>/dev/null
}
_tickmux_sessions() {
  local directory
  for directory in "\${XDG_STATE_HOME:-$HOME/.local/state}"/tickmux/run/*/; do
    [[ -d $directory ]] && basename "$directory"
  done
}
_tickmux_instances() {
  tickmux ls --json \${1:+-s "$1"} 2>/dev/null | grep -o '"instance":"[^"]*"' | cut -d'"' -f4
}
_tickmux() {
  local line="\${COMP_LINE:0:COMP_POINT}" word words=() i
  # Cut at spaces alone: bash would cut ids at their colon.
  read -r -a words <<<"$line"
  [[ $line == *[[:space:]] ]] && words+=("")
  local last=$((\${#words[@]} - 1)) command="" session="" operand=0 previous="" ended=""
  word="\${words[last]}"
  for ((i = 1; i < last; i++)); do
    local one="\${words[i]}"
    if [[ -n $ended ]]; then continue; fi
    case "$previous" in
      -s|--session) session="$one"; previous=""; continue ;;
    esac
    case "$command $previous" in
${valueCases(
  commands.map(({ name, options }) => [name, options]),
  options,
)}
    esac
    case "$one" in
      --) ended=1 ;;
      -*) previous="$one" ;;
      *) if [[ -z $command ]]; then command="$one"; else operand=$((operand + 1)); fi; previous="" ;;
    esac
  done
  if [[ -n $ended ]]; then _tickmux_paths -c "$word"; return; fi
  case "$command $previous" in
${commands.flatMap(({ name, options }) => options.map((option) => valueCase(name, option))).join('')}${options.map((option) => valueCase('', option)).join('')}  esac
  if [[ $word == -* ]]; then
    case "$command" in
      "") _tickmux_words "$word" ${quoted(optionNames(options))} ;;
${commands.map(({ name, options }) => `      ${name}) _tickmux_words "$word" ${quoted(optionNames(options))} ;;\n`).join('')}    esac
    return
  fi
  if [[ -z $command ]]; then _tickmux_words "$word" "${names}"; return; fi
  case "$command $operand" in
${commands
  .flatMap(({ name, operands, variadic }) =>
    operands.map((kind, index) => {
      const at = variadic && index === operands.length - 1 ? '*' : String(index);
      return kind === 'other' ? '' : `    "${name} "${at}) ${complete(kind)} ;;\n`;
    }),
  )
  .join('')}  esac
}
complete -F _tickmux tickmux
`;
}

function complete(kind: Kind): string {
  if (typeof kind !== 'string') return `_tickmux_words "$word" "${kind.join(' ')}"`;
  switch (kind) {
    case 'session':
      return '_tickmux_words "$word" "$(_tickmux_sessions)"';
    case 'instance':
      return '_tickmux_words "$word" "$(_tickmux_instances "$session")"';
    case 'file':
      return '_tickmux_paths -f "$word"';
    case 'directory':
      return '_tickmux_paths -d "$word"';
    case 'program':
      return '_tickmux_paths -c "$word"';
    default:
      return ':';
  }
}

function valueCase(command: string, { names, value }: CompletedOption): string {
  if (value === undefined) return '';
  return `    ${names.map((name) => `"${command} ${name}"`).join('|')}) ${complete(value)}; return ;;\n`;
}

/** Words that are values of the option before them, and so no command and no operand. */
function valueCases(
  commands: readonly (readonly [string, readonly CompletedOption[]])[],
  own: readonly CompletedOption[],
): string {
  const taking = [['', own] as const, ...commands].flatMap(([command, options]) =>
    options
      .filter(({ value }) => value !== undefined)
      .flatMap(({ names }) => names.map((name) => `"${command} ${name}"`)),
  );
  return `      ${taking.join('|')}) previous=""; continue ;;`;
}

function optionNames(options: readonly CompletedOption[]): string {
  return options.flatMap(({ names }) => names).join(' ');
}

function quoted(text: string): string {
  return `"${text}"`;
}
