// `rainbell completion`: what a shell needs to complete commands and flags, made from the table of commands.
import { requireArguments, UsageError } from '../terminal/arguments.ts';
import { commonOptions, type Command } from '../terminal/command.ts';
import { exitCodes } from '../terminal/exit-codes.ts';

const shells = ['bash', 'zsh', 'fish'] as const;
type Shell = (typeof shells)[number];

/** `commands` is a function because the table contains this command, too. */
export function createCompletion(commands: () => readonly Command[]): Command {
  return {
    name: 'completion',
    usage: shells.join('|'),
    summary: 'Print a script that completes commands and flags in your shell',
    details: ['For zsh, write the script to a file named _rainbell in a folder that $fpath lists.'],
    options: { help: commonOptions.help },
    examples: [
      'completion bash > ~/.local/share/bash-completion/completions/rainbell',
      'completion zsh > ~/.zfunc/_rainbell',
      'completion fish > ~/.config/fish/completions/rainbell.fish',
    ],
    async run(given, { output }) {
      const [text = ''] = requireArguments(given, ['SHELL']);
      const shell = shells.find((known) => known === text);
      if (!shell) throw new UsageError(`The shell must be one of ${shells.join(', ')}, not “${text}”.`);
      output.show(scripts[shell](choicesOf(commands())));
      return exitCodes.done;
    },
  };
}

/** What can follow the words typed so far: `''` the first word, `monitors` its second, `monitors list` its flags. */
type Choices = ReadonlyMap<string, readonly string[]>;

function choicesOf(commands: readonly Command[]): Choices {
  const choices = new Map<string, string[]>([['', []]]);
  for (const { name, options } of commands) {
    const [first = '', second] = name.split(' ');
    const top = choices.get('') ?? [];
    if (!top.includes(first)) top.push(first);
    if (second !== undefined) choices.set(first, [...(choices.get(first) ?? []), second]);
    choices.set(
      name,
      Object.keys(options).map((flag) => `--${flag}`),
    );
  }
  return choices;
}

const scripts: Readonly<Record<Shell, (choices: Choices) => string>> = {
  bash: (choices) => `_rainbell() {
  local words="\${COMP_WORDS[1]} \${COMP_WORDS[2]}" choices
  [ "$COMP_CWORD" -eq 1 ] && words=
  [ "$COMP_CWORD" -eq 2 ] && words="\${COMP_WORDS[1]} "
  case "$words" in
${cases(choices)}
  esac
  COMPREPLY=($(compgen -W "$choices" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _rainbell rainbell
`,
  zsh: (choices) => `#compdef rainbell
local words_before="$words[2] $words[3]" choices
(( CURRENT == 2 )) && words_before=
(( CURRENT == 3 )) && words_before="$words[2] "
case "$words_before" in
${cases(choices)}
esac
compadd -- \${=choices}
_files
`,
  fish: (choices) =>
    [...choices]
      .flatMap(([before, words]) => words.map((word) => fishLine(before, word)))
      .concat('')
      .join('\n'),
};

/** The longest names first, because `monitors list` begins with `monitors`. */
function cases(choices: Choices): string {
  const names = [...choices.keys()].toSorted((one, other) => other.length - one.length);
  return names
    .map((name) => `    ${name === '' ? "''" : `'${name}'*`}) choices='${(choices.get(name) ?? []).join(' ')}' ;;`)
    .join('\n');
}

function fishLine(before: string, word: string): string {
  const condition = before === '' ? '__fish_use_subcommand' : before.split(' ').map(seen).join('; and ');
  const choice = word.startsWith('--') ? `-l ${word.slice(2)}` : `-f -a ${word}`;
  return `complete -c rainbell -n '${condition}' ${choice}`;
}

function seen(word: string): string {
  return `__fish_seen_subcommand_from ${word}`;
}
