import { Argument } from 'commander';
import type { Command } from 'commander';
import { writeText } from './output';

/** A command as a shell completes it. */
interface CompletedCommand {
  /** The words after `ton-workbench`: `localnet status`. */
  path: string;
  summary: string;
  commands: readonly { name: string; summary: string }[];
  options: readonly { flag: string; summary: string }[];
  /** What its first argument can be, if that is a choice. */
  choices: readonly string[];
}

const shells = ['bash', 'zsh', 'fish'] as const;

/** `completion SHELL`: a script that completes commands and options, made from the table that parses them. */
export function registerCompletionCommand(program: Command): void {
  program
    .command('completion')
    .summary('print the completions of commands and options for a shell')
    .description(
      'Prints a script. bash: eval "$(ton-workbench completion bash)" in ~/.bashrc. zsh: eval "$(ton-workbench ' +
        'completion zsh)" in ~/.zshrc, after compinit. fish: ton-workbench completion fish > ' +
        '~/.config/fish/completions/ton-workbench.fish',
    )
    .addArgument(new Argument('<shell>', 'the shell').choices(shells))
    .action((shell: (typeof shells)[number]) => {
      writeText(scripts[shell](completedCommands(program, [])));
    });
}

const scripts: Readonly<Record<(typeof shells)[number], (commands: readonly CompletedCommand[]) => string>> =
  {
    bash: bashScript,
    zsh: zshScript,
    fish: fishScript,
  };

function completedCommands(command: Command, path: readonly string[]): CompletedCommand[] {
  const { commands, options, registeredArguments } = command;
  const own = {
    path: path.join(' '),
    summary: command.summary(),
    commands: commands.map((one) => ({ name: one.name(), summary: one.summary() })),
    options: [
      ...options.filter(({ hidden }) => !hidden),
      { long: '--help', description: 'display help for command' },
    ].flatMap(({ long, description }) =>
      long == null ? [] : [{ flag: long, summary: description.split(/[;:.] /, 1)[0] ?? '' }],
    ),
    choices: registeredArguments[0]?.argChoices ?? [],
  };
  return [own, ...commands.flatMap((one) => completedCommands(one, [...path, one.name()]))];
}

/** What follows a command: its commands, or the choices of its argument. */
function wordsAfter({ commands, choices }: CompletedCommand): string {
  return [...commands.map(({ name }) => name), ...choices].join(' ');
}

function bashScript(commands: readonly CompletedCommand[]): string {
  const cases = commands.map(
    (one) =>
      `    ${quoted(one.path)}) words=${quoted(wordsAfter(one))}; options=${quoted(one.options.map(({ flag }) => flag).join(' '))} ;;`,
  );
  return `# Completions of ton-workbench for bash
_ton_workbench_words() {
  case "$1" in
${cases.join('\n')}
    *) return 1 ;;
  esac
}
_ton_workbench() {
  local words= options= path= word
  local current="\${COMP_WORDS[COMP_CWORD]}"
  _ton_workbench_words ''
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    if _ton_workbench_words "\${path:+$path }$word"; then
      path="\${path:+$path }$word"
    fi
  done
  [[ $current == -* ]] && words=$options
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _ton_workbench ton-workbench`;
}

function zshScript(commands: readonly CompletedCommand[]): string {
  const described = (list: readonly { name: string; summary: string }[]): string =>
    list.map(({ name, summary }) => quoted(`${name}:${summary}`)).join(' ');
  const cases = commands.map((one) => {
    const named = [...one.commands, ...one.choices.map((name) => ({ name, summary: '' }))];
    const options = one.options.map(({ flag, summary }) => ({ name: flag, summary }));
    return `    (${quoted(one.path)}) found=(${described(named)}); options=(${described(options)}) ;;`;
  });
  return `#compdef ton-workbench
_ton_workbench_words() {
  case "$1" in
${cases.join('\n')}
    (*) return 1 ;;
  esac
}
_ton_workbench() {
  local -a found options
  local at= word
  _ton_workbench_words ''
  for word in "\${(@)words[2,CURRENT-1]}"; do
    if _ton_workbench_words "\${at:+$at }$word"; then
      at="\${at:+$at }$word"
    fi
  done
  if [[ $PREFIX == -* ]]; then
    _describe option options
  elif (( \${#found} )); then
    _describe command found
  else
    _files
  fi
}
compdef _ton_workbench ton-workbench`;
}

function fishScript(commands: readonly CompletedCommand[]): string {
  const paths = commands.map(({ path }) => quoted(path)).join(' ');
  const lines = commands.flatMap(({ path, commands: inside, options, choices }) => {
    const at = `complete -c ton-workbench -n 'test (__ton_workbench_at) = "${path}"'`;
    return [
      ...(inside.length > 0 ? [`${at} -f`] : []),
      ...inside.map(({ name, summary }) => `${at} -a ${name} -d ${quoted(summary)}`),
      ...choices.map((name) => `${at} -f -a ${name}`),
      ...options.map(({ flag, summary }) => `${at} -l ${flag.slice(2)} -d ${quoted(summary)}`),
    ];
  });
  return `# Completions of ton-workbench for fish
function __ton_workbench_at
  set -l at ''
  for word in (commandline -opc)[2..]
    set -l next (string trim -- "$at $word")
    if contains -- $next ${paths}
      set at $next
    end
  end
  echo $at
end
${lines.join('\n')}`;
}

/** In single quotes, for all three shells, which escape them in three ways. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", '’').replaceAll('\\', '')}'`;
}
