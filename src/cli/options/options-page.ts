import type { Command, Option } from 'commander';
import { consents, optionNames, variableOf } from '../../config/load-options.ts';
import { keysWithRules, type KeyRule } from '../../config/harmless-keys.ts';
import type { OptionName } from '../../config/options.ts';
import { processHost } from '../host.ts';
import { buildProgram } from '../main.ts';

/** docs/reference/options.md: every command with its options, as `--help` says them. */
export async function renderOptions(): Promise<string> {
  const commands = (await buildProgram(processHost())).commands.filter((command) => command.name() !== 'help');
  const sections = commands.flatMap((command) =>
    command.commands.length === 0
      ? [commandSection(command, command.name())]
      : command.commands.map((child) => commandSection(child, `${command.name()} ${child.name()}`)),
  );
  return `# Commands and options

Made by \`npm run options\` from the program itself. Every option except those of \`sandbox\` is also a key of \`chatferry.yaml\` (in the
current folder, or \`--config FILE\`) and a variable; a flag beats a variable, a variable beats the file. \`--yes\` and \`--force\` are
answers, and no keys of a file: [security](../understand/security.md). A \`chatferry.yaml\` that was only found counts for its harmless keys: they are at the end.
\`--version\` prints the version, \`--help\` any command's options.

${sections.join('\n')}
${harmlessKeys()}`;
}

/** What a file may say that nobody named or trusted. A job has the rules of options, too. */
function harmlessKeys(): string {
  const listed = (...counts: readonly KeyRule['counts'][]) =>
    keysWithRules.flatMap(([key, rule]) => (counts.includes(rule.counts) ? [`\`${key}\``] : [])).join(', ');
  return `## Keys that count in a file that was only found

These keys of a \`chatferry.yaml\` in the current folder count without \`--config\` or \`chatferry trust\`: [security](../understand/security.md). Options count in a job as well.

| keys | which values count |
|---|---|
| ${listed('always')} | all |
| ${listed('inside')} | relative paths that stay inside the folder of the file |
| ${listed('sandbox')} | \`sandbox\` |
`;
}

/** @param words What stands behind `chatferry`. */
function commandSection(command: Command, words: string): string {
  const args = command.registeredArguments.map(
    (argument) => ` ${argument.required ? `<${argument.name()}>` : `[${argument.name()}]`}`,
  );
  const options = command.options.map(optionRow);
  return `## chatferry ${words}${args.join('').replaceAll('...', '…')}

${command.description()}
${options.length === 0 ? '' : `\n| option | what it does | key and variable |\n|---|---|---|\n${options.join('\n')}\n`}`;
}

function optionRow(option: Option): string {
  const name = option.attributeName();
  const isShared = optionNames.includes(name as OptionName);
  const variable = `\`${variableOf(name)}\``;
  const key = isShared ? [...(consents.includes(name) ? [] : [`\`${name}\``]), variable].join(', ') : '';
  return `| \`${option.flags}\` | ${option.description.replaceAll('|', '\\|')} | ${key} |`;
}
