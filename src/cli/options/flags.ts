import { type Command, Option } from 'commander';
import { toFlag, isSwitchedOff, toNegatedFlag, toVariable } from '../../config/load-options.ts';
import { UsageError } from '../../lib/errors.ts';
import { parseCount } from '../../lib/text/units.ts';
import { optionHelp, namesInTopic, type OptionName, type Topic, topics } from '../../config/options.ts';

export const optionGroups = Object.fromEntries(topics.map((topic) => [topic, namesInTopic(topic)])) as Readonly<
  Record<Topic, readonly OptionName[]>
>;

/** A command with more options than this shows only the usual ones in `--help`. */
const shownMax = 12;

/** Headings of `--help-all`. */
const headings: Readonly<Record<Topic, string>> = {
  reading: 'Reading the export:',
  planning: 'Reading the export:',
  target: 'Destination:',
  sending: 'Sending:',
  media: 'Files of messages:',
  output: 'Output:',
  store: 'Checkpoint store:',
};

function buildOption(name: OptionName): Option {
  const {
    description,
    traits: { value },
  } = optionHelp(name);
  if (isSwitchedOff(name)) return new Option(toNegatedFlag(name), description).default(undefined);
  return new Option(`${toFlag(name)}${value === undefined ? '' : ` <${value}>`}`, description);
}

/** `--help-all`: the hidden options too, by topic. */
function addHelpAll(command: Command, hidden: ReadonlyMap<OptionName, Option>): void {
  command.option('--help-all', `all ${command.options.length} options, by topic`);
  command.on('option:help-all', () => {
    for (const [name, option] of hidden) {
      option.hidden = false;
      const { topic } = optionHelp(name).traits;
      if (topic !== undefined) option.helpGroup(headings[topic]);
    }
    command.help();
  });
}

/** Adds options to a command: names, values and help from the schema. If there are many, `--help` shows the usual ones. */
export function addOptions(command: Command, names: readonly OptionName[]): Command {
  const hidden = new Map<OptionName, Option>();
  for (const name of names) {
    const option = buildOption(name);
    if (names.length > shownMax && !optionHelp(name).traits.isUsual) hidden.set(name, option.hideHelp());
    command.addOption(option);
  }
  if (hidden.size > 0) addHelpAll(command, hidden);
  return command
    .option('--config <FILE>', 'Configuration file (default: chatferry.yaml in this folder, once you trust it)')
    .addHelpText(
      'after',
      `\nEvery option is also a key of chatferry.yaml (${longest(names)}: …) and a variable (${toVariable(longest(names))}=…).`,
    );
}

const longest = (names: readonly OptionName[]) => names.find((name) => /[A-Z]/.test(name)) ?? names[0]!;

/** @throws UsageError if the text is no whole number from `min` to `max`. */
export function parseNumberFlag(name: string, text: string, min: number, max: number): number {
  try {
    return parseCount(text, min, max);
  } catch (cause) {
    throw new UsageError(`Cannot use --${name}: ${(cause as Error).message}`, { cause });
  }
}
