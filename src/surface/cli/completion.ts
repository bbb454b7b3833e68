import { listFields } from '../../config/fields.ts';
import { OrielError } from '../../kernel/errors.ts';
import { OPTIONS } from './argv.ts';
import { COMMANDS } from './help.ts';

/**
 * A completion script for commands, flags and tool names.
 *
 * @throws `bad_input` for a shell that has none.
 */
export function completionScript(shell: string | undefined, tools: readonly string[]): string {
  const commands = Object.keys(COMMANDS).join(' ');
  const flags = [
    ...Object.keys(OPTIONS).map((name) => `--${name}`),
    ...listFields().flatMap((field) => field.flags),
  ].join(' ');
  const names = tools.join(' ');
  switch (shell) {
    case 'bash':
      return `_oriel() {
  local word="\${COMP_WORDS[COMP_CWORD]}" command="\${COMP_WORDS[1]}"
  if [[ $word == -* ]]; then COMPREPLY=($(compgen -W "${flags}" -- "$word"))
  elif [[ $COMP_CWORD == 1 ]]; then COMPREPLY=($(compgen -W "${commands}" -- "$word"))
  elif [[ $command == call || $command == tools ]]; then COMPREPLY=($(compgen -W "${names}" -- "$word"))
  fi
}
complete -F _oriel oriel
`;
    case 'zsh':
      return `#compdef oriel
_oriel() {
  if [[ $words[CURRENT] == -* ]]; then compadd -- ${flags}
  elif (( CURRENT == 2 )); then compadd -- ${commands}
  elif [[ $words[2] == call || $words[2] == tools ]]; then compadd -- ${names}
  fi
}
compdef _oriel oriel
`;
    case 'fish':
      return `complete -c oriel -f
complete -c oriel -n __fish_use_subcommand -a "${commands}"
complete -c oriel -n "__fish_seen_subcommand_from call tools" -a "${names}"
${flags
  .split(' ')
  .map((flag) => `complete -c oriel -l ${flag.slice(2)}`)
  .join('\n')}
`;
    default:
      throw new OrielError('bad_input', `There is no completion for ${shell ?? 'no shell'}.`, {
        hint: 'Give bash, zsh or fish, for example: oriel completion bash >> ~/.bashrc',
      });
  }
}
