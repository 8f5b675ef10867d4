import { type Complete, RootCommand, script } from '@bomb.sh/tab';
import { Argument, type Command, type Option } from 'commander';
import { z } from 'zod';
import { isOption, optionsSchema } from '../../config/options.ts';
import type { Host } from '../host.ts';
import { print } from '../terminal/print.ts';

const shells = ['bash', 'zsh', 'fish'] as const;
type Shell = (typeof shells)[number];

export function addCompletion(program: Command, host: Host): void {
  program
    .command('completion')
    .description(
      'Prints a script that makes the shell complete commands, options, their values, and files:\n' +
        '  bash  add to ~/.bashrc:   source <(chatferry completion bash) ' +
        '  zsh   add to ~/.zshrc:    source <(chatferry completion zsh) ' +
        '  fish  once:               chatferry completion fish > ~/.config/fish/completions/chatferry.fish',
    )
    .addArgument(new Argument('<SHELL>', 'the shell').choices(shells))
    .action((shell: Shell) => print(host, scriptFor(shell)));
}

/** Command that the scripts call: `chatferry complete -- import --st`. @param load Loads the commands that such words may mean. */
export function addComplete(program: Command, host: Host, load: (words: readonly string[]) => Promise<Command>): void {
  program
    .command('complete', { hidden: true })
    .argument('[WORDS...]')
    .action(async (words: readonly string[]) => {
      const sources = words.at(-2) === '--source' ? (await import('../../sources/registry.ts')).sources : [];
      const names = sources.map(({ name }) => name);
      print(host, suggest(await load(words), words, names));
    });
}

/** For shells that have no such function: it is part of the package bash-completion. */
const bashWords = `
if ! declare -F _get_comp_words_by_ref > /dev/null; then
    _get_comp_words_by_ref() { cur=\${COMP_WORDS[COMP_CWORD]} words=("\${COMP_WORDS[@]}") cword=$COMP_CWORD; }
fi
`;

/**
 * Returns the script of a shell. The one of bash passes words on unchanged, without running anything in them, and
 * completes files if Chatferry has no candidates.
 */
function scriptFor(shell: Shell): string {
  const text = printed(() => script(shell, 'chatferry', 'chatferry')).join('\n');
  if (shell !== 'bash') return text;
  const changed = [
    [/^readonly /gm, ''],
    [/out=\$\(eval "\$requestComp" 2>\/dev\/null\)/, `out=$(chatferry complete -- "\${words[@]:1:cword}" 2>/dev/null)`],
    [/^complete -F (\w+) chatferry$/m, 'complete -o default -F $1 chatferry'],
  ] as const;
  return changed.reduce((before, [found, put]) => replaced(before, found, put), text) + bashWords;
}

function replaced(text: string, found: RegExp, put: string): string {
  if (text.search(found) < 0) throw new Error(`The completion script of bash has no ${found} any more`);
  return text.replace(found, put);
}

/**
 * Returns completions in the form that the scripts read: one candidate a line, then how to go on. 4: files are no
 * answer; 0: complete files.
 *
 * @param words The words on the line after the name of the program, the last of them up to the cursor.
 */
function suggest(program: Command, words: readonly string[], sources: readonly string[]): string {
  const { command, own } = findCommand(program, words);
  const root = new RootCommand();
  // Also those that only --help-all shows.
  const options = new Set([...command.options, ...command.createHelp().visibleOptions(command)]);
  for (const option of options) addOption(root, option, sources);
  for (const child of command.createHelp().visibleCommands(command)) root.command(child.name(), child.summary());
  const [first] = command.registeredArguments;
  const choices = first?.argChoices ?? [];
  if (choices.length > 0) root.argument('', offering(choices), first!.variadic);
  // The last line is the library's own word on files: never.
  const found = printed(() => root.parse([...own])).slice(0, -1);
  return [...found, found.length === 0 && wantsFile(command, own) ? ':0' : ':4'].join('\n');
}

function findCommand(program: Command, words: readonly string[]): { command: Command; own: readonly string[] } {
  const [name, ...rest] = words;
  const child = rest.length === 0 ? undefined : program.commands.find((command) => command.name() === name);
  return child ? findCommand(child, rest) : { command: program, own: words };
}

function addOption(root: RootCommand, option: Option, sources: readonly string[]): void {
  const name = option.long?.slice(2) ?? '';
  if (!takesValue(option)) root.option(name, option.description);
  else root.option(name, option.description, offering(listValues(option, sources)));
}

const offering = (values: readonly string[]) => (add: Complete) => {
  for (const value of values) add(value, '');
};

const takesValue = ({ required, optional }: Option): boolean => required || optional;

function listValues(option: Option, sources: readonly string[]): readonly string[] {
  const name = option.attributeName();
  if (option.argChoices) return option.argChoices;
  if (name === 'source') return sources;
  if (!isOption(name)) return [];
  return z.toJSONSchema(optionsSchema().shape[name], { io: 'input' }).enum?.map(String) ?? [];
}

function wantsFile(command: Command, own: readonly string[]): boolean {
  const [before, last = ''] = [own.at(-2), own.at(-1)];
  const asked = command.options.find((option) => option.long === before || last.startsWith(`${option.long}=`));
  if (asked && takesValue(asked)) return /<(?:FILE|DIR|WHAT)>/.test(asked.flags);
  return (
    !last.startsWith('-') && command.registeredArguments.some((argument) => /^(?:EXPORT|FILE)$/.test(argument.name()))
  );
}

/** Returns the lines that the library prints, because it can only print. */
function printed(work: () => void): string[] {
  const lines: string[] = [];
  const { log } = console;
  console.log = (line: string) => void lines.push(...line.split('\n'));
  try {
    work();
  } finally {
    console.log = log;
  }
  return lines;
}
