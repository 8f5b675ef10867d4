import type { Command, Option } from 'commander';
import { processHost } from '../src/cli/host.ts';
import { buildProgram } from '../src/cli/main.ts';
import { toFlag } from '../src/config/load-options.ts';
import { consents, type OptionName, optionNames } from '../src/config/options.ts';
import { type Pages, withLinks, writePages } from './pages.ts';

/** The page of the commands and their options, as `--help` says them: each option once. */

export const optionsFolder = 'reference/options';

const page = `${optionsFolder}/index.md`;

export async function renderOptions(): Promise<Pages> {
  const commands = (await buildProgram(processHost())).commands.filter((command) => command.name() !== 'help');
  const tables = [
    ['| command | what it does |', '|---|---|', ...commands.map(commandRow)],
    ['| option | what it does | of |', '|---|---|---|', ...optionRows(commands)],
  ];
  return new Map([
    [page, withLinks(`${[introduction, ...tables.map((rows) => rows.join('\n'))].join('\n\n')}\n`, page)],
  ]);
}

const answers = consents.map((name) => `\`${toFlag(name)}\``).join(', ');

const introduction = `# Commands and options

Read this if you look for a command, an option, a key of \`chatferry.yaml\` or a variable.

\`chatferry help COMMAND\` prints a command with its arguments and options. An option is also a key of \`chatferry.yaml\` (in the current folder, or
\`--config FILE\`) and a variable, \`--media-to\` as \`mediaTo\` and \`CHATFERRY_MEDIA_TO\`, unless the table says "flag alone". A flag beats a
variable, a variable beats the file. ${answers} are answers, and no keys of a file: [security](../../understand/security.md). A
\`chatferry.yaml\` in the current folder counts once you trust it (\`chatferry trust\`). Its \`source\`,
\`workspace\`, \`mapping\`, \`allowMappingChange\` and \`exportScope\` describe its \`export\`: for another one they count only where \`--config\` names the file.
\`npm run options\` writes this page from the program.`;

const commandRow = (command: Command): string => {
  const args = command.registeredArguments.map((one) => (one.required ? ` <${one.name()}>` : ` [${one.name()}]`));
  const parts = command.commands.map((child) => child.name());
  return `| \`chatferry ${command.name()}${args.join('')}\` | ${firstSentence(command)}${parts.length > 0 ? ` (${parts.join(', ')})` : ''} |`;
};

const firstSentence = (command: Command) =>
  /^[\s\S]*?(?:\.(?=\s|$)|$)/.exec(command.description())![0].replaceAll('\n', ' ');

/** Commands that are named in a row; of more, only how many there are. */
const namedMax = 6;

function optionRows(commands: readonly Command[]): readonly string[] {
  const found = commands
    .flatMap((command) => [command, ...command.commands])
    .flatMap((command) => command.options.map((option) => ({ row: optionCells(option), command: nameOf(command) })));
  const rows = Map.groupBy(found, ({ row }) => row);
  return [...rows].toSorted().map(([row, uses]) => {
    const names = [...new Set(uses.map(({ command }) => command))];
    return `${row} ${names.length > namedMax ? `${names.length} commands` : names.join(', ')} |`;
  });
}

const nameOf = (command: Command): string =>
  command.parent?.parent ? `${command.parent.name()} ${command.name()}` : command.name();

function optionCells(option: Option): string {
  const isShared = optionNames.includes(option.attributeName() as OptionName);
  const what = option.description.replaceAll('|', '\\|').replace(/\.$/, '');
  return `| \`${option.flags}\` | ${what}${isShared ? '' : ' (flag alone)'} |`;
}

if (import.meta.main) writePages(optionsFolder, await renderOptions());
