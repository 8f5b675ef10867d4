import type { Command, Option } from 'commander';
import { processHost } from '../src/cli/host.ts';
import { buildProgram } from '../src/cli/main.ts';
import { toVariable } from '../src/config/load-options.ts';
import { consents, type OptionName, optionNames } from '../src/config/options.ts';
import { type Pages, withLinks, writePages } from './pages.ts';

/** The pages of the commands and their options, as `--help` says them: a page for each command, and one that lists them. */

export const optionsFolder = 'reference/options';

const pathOf = (command: Command) => `${optionsFolder}/${command.name()}.md`;

export async function renderOptions(): Promise<Pages> {
  const commands = (await buildProgram(processHost())).commands.filter((command) => command.name() !== 'help');
  const pages = commands.map((command) => [pathOf(command), withLinks(commandPage(command), pathOf(command))] as const);
  return new Map([[`${optionsFolder}/index.md`, indexPage(commands)], ...pages]);
}

function indexPage(commands: readonly Command[]): string {
  const rows = commands.map((command) => `| [${command.name()}](${command.name()}.md) | ${firstSentence(command)} |`);
  const table = withLinks(['| command | what it does |', '|---|---|', ...rows].join('\n'), `${optionsFolder}/index.md`);
  return `${introduction}\n\n${table}\n`;
}

const introduction = `# Commands and options

Read this if you look for a command, an option, a key of \`chatferry.yaml\` or a variable.

Every option except those of \`sandbox\` is also a key of \`chatferry.yaml\` (in the current folder, or \`--config FILE\`) and a variable. A flag beats a
variable, a variable beats the file. \`--yes\` and \`--force\` are answers, and no keys of a file: [security](../../understand/security.md). A
\`chatferry.yaml\` in the current folder counts once you trust it (\`chatferry trust\`). Its \`source\`,
\`workspace\`, \`mapping\`, \`allowMappingChange\` and \`exportScope\` describe its \`export\`: for another one they count only where \`--config\` names the file.
\`--version\` prints the version, \`--help\` any command's options. \`npm run options\` writes these pages from the program.`;

const firstSentence = (command: Command) =>
  /^[\s\S]*?(?:\.(?=\s|$)|$)/.exec(command.description())![0].replaceAll('\n', ' ');

function commandPage(command: Command): string {
  const name = command.name();
  const about = `Read this if you use \`chatferry ${name}\` and look for an argument or an option.`;
  const head = `# chatferry ${name}\n\n${about}\n`;
  if (command.commands.length === 0) return `${head}\n${commandSection(command, name)}`;
  const sections = command.commands.map(
    (child) => `## chatferry ${name} ${child.name()}\n\n${commandSection(child, `${name} ${child.name()}`)}`,
  );
  return [head, `${command.description()}\n`, ...sections].join('\n');
}

/** @param words What follows `chatferry` on the command line. */
function commandSection(command: Command, words: string): string {
  const args = command.registeredArguments.map(
    (argument) => ` ${argument.required ? `<${argument.name()}>` : `[${argument.name()}]`}`,
  );
  const call = `    chatferry ${words}${args.join('').replaceAll('...', '…')}`;
  const options = command.options.map(optionRow);
  const table =
    options.length === 0
      ? ''
      : `\n| option | what it does | key and variable |\n|---|---|---|\n${options.join('\n')}\n`;
  return `${call}\n\n${command.description()}\n${table}`;
}

function optionRow(option: Option): string {
  const name = option.attributeName();
  const isShared = optionNames.includes(name as OptionName);
  const variable = `\`${toVariable(name)}\``;
  const key = isShared ? [...(consents.includes(name as OptionName) ? [] : [`\`${name}\``]), variable].join(', ') : '';
  return `| \`${option.flags}\` | ${option.description.replaceAll('|', '\\|')} | ${key} |`;
}

if (import.meta.main) writePages(optionsFolder, await renderOptions());
