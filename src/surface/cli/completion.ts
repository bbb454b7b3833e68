import { listFields } from '../../config/fields.ts';
import { OrielError } from '../../kernel/errors.ts';
import { OPTIONS } from './argv.ts';

export const SHELLS = ['bash', 'zsh', 'fish'] as const;

/** What can stand on a command line. */
export interface CompletionWords {
  readonly commands: readonly string[];
  readonly tools: readonly string[];
}

/**
 * A completion script for commands, flags, the values of choices, and tool names.
 *
 * @throws `bad_input` for a shell that has none.
 */
export function completionScript(shell: string | undefined, words: CompletionWords): string {
  switch (shell) {
    case 'bash':
      return bashScript(words);
    case 'zsh':
      return zshScript(words);
    case 'fish':
      return fishScript(words);
    default: {
      const what = shell === undefined ? 'needs the name of a shell' : `knows no shell ${shell}`;
      throw new OrielError('bad_input', `oriel completion ${what}.`, {
        hint: `Give ${SHELLS.join(', ')}; for example: source <(oriel completion bash)`,
      });
    }
  }
}

const flags = () => [
  ...Object.keys(OPTIONS).map((name) => `--${name}`),
  ...listFields().flatMap((field) => field.flags),
];

/** Settings with a fixed set of values. */
const choices = () =>
  listFields().flatMap((field) =>
    field.choices ? [{ flags: field.flags, values: field.choices }] : [],
  );

/** The command is the first word that is no flag; `words` are those before the cursor. */
function bashScript({ commands, tools }: CompletionWords): string {
  const cases = choices().map(
    ({ flags: names, values }) =>
      `    ${names.join('|')}) COMPREPLY=($(compgen -W "${values.join(' ')}" -- "$word")); return;;`,
  );
  return `_oriel() {
  local word="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD-1]}" command="" operands=0 i
  # Readline splits --flag=value into three words.
  [[ $before == "=" ]] && before="\${COMP_WORDS[COMP_CWORD-2]}"
  [[ $word == "=" ]] && { before="\${COMP_WORDS[COMP_CWORD-1]}"; word=""; }
  COMPREPLY=()
  case "$before" in
${cases.join('\n')}
    --config) COMPREPLY=($(compgen -f -- "$word")); return;;
  esac
  for ((i = 1; i < COMP_CWORD; i++)); do
    [[ \${COMP_WORDS[i]} == -?* ]] && continue
    if [[ -z $command ]]; then command="\${COMP_WORDS[i]}"; else operands=$((operands + 1)); fi
  done
  if [[ $word == -* ]]; then COMPREPLY=($(compgen -W "${flags().join(' ')}" -- "$word"))
  elif [[ -z $command ]]; then COMPREPLY=($(compgen -W "${commands.join(' ')}" -- "$word"))
  elif [[ $operands -gt 0 ]]; then return
  elif [[ $command == call || $command == tools ]]; then COMPREPLY=($(compgen -W "${tools.join(' ')}" -- "$word"))
  elif [[ $command == completion ]]; then COMPREPLY=($(compgen -W "${SHELLS.join(' ')}" -- "$word"))
  fi
}
complete -F _oriel oriel
`;
}

function zshScript({ commands, tools }: CompletionWords): string {
  const cases = choices().map(
    ({ flags: names, values }) =>
      `    ${names.join('|')}) compadd -- ${values.join(' ')}; return;;`,
  );
  return `#compdef oriel
_oriel() {
  local command="" operands=0 i
  case "$words[CURRENT-1]" in
${cases.join('\n')}
    --config) _files; return;;
  esac
  for ((i = 2; i < CURRENT; i++)); do
    [[ $words[i] == -?* ]] && continue
    if [[ -z $command ]]; then command="$words[i]"; else operands=$((operands + 1)); fi
  done
  if [[ $words[CURRENT] == -* ]]; then compadd -- ${flags().join(' ')}
  elif [[ -z $command ]]; then compadd -- ${commands.join(' ')}
  elif (( operands > 0 )); then return
  elif [[ $command == call || $command == tools ]]; then compadd -- ${tools.join(' ')}
  elif [[ $command == completion ]]; then compadd -- ${SHELLS.join(' ')}
  fi
}
compdef _oriel oriel
`;
}

function fishScript({ commands, tools }: CompletionWords): string {
  const values = new Map(
    choices().flatMap(({ flags: names, values: list }) =>
      names.map((name) => [name, list] as const),
    ),
  );
  const lines = flags().map((flag) => {
    const list = values.get(flag);
    return `complete -c oriel -l ${flag.slice(2)}${list ? ` -x -a "${list.join(' ')}"` : ''}`;
  });
  return `complete -c oriel -f
complete -c oriel -n __fish_use_subcommand -a "${commands.join(' ')}"
complete -c oriel -n "__fish_seen_subcommand_from call tools" -a "${tools.join(' ')}"
complete -c oriel -n "__fish_seen_subcommand_from completion" -a "${SHELLS.join(' ')}"
${lines.join('\n')}
`;
}
