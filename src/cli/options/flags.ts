import { type Command, Option } from 'commander';
import { flagOf, isSwitchedOff, negatedFlagOf, variableOf } from '../../config/load-options.ts';
import { type OptionName, optionsSchema } from '../../config/options.ts';

/** Options by topic, in the order of `--help-all`. */
export const optionGroups = {
  reading: ['source', 'workspace'],
  planning: ['mapping', 'allowMappingChange', 'only', 'drift', 'exportScope'],
  target: ['appId', 'region', 'to', 'profile', 'rehearseFor', 'retentionDays'],
  sending: [
    'yes',
    'apiKeyFile',
    'rate',
    'batchItems',
    'batchBytes',
    'concurrency',
    'gracePeriod',
    'duplicates',
    'sendProfiles',
    'maxFailures',
    'outOfOrder',
    'trackUsers',
    'readBack',
    'verify',
  ],
  output: ['report', 'format', 'json', 'quiet', 'progress'],
  media: [
    'mediaTo',
    'mediaBaseUrl',
    'mediaMissing',
    'mediaEndpoint',
    'mediaRegion',
    'mediaCredentials',
    'mediaToken',
    'mediaTokenHosts',
    'bandwidth',
  ],
  store: ['store', 'allowNetworkFs'],
} as const satisfies Record<string, readonly OptionName[]>;

/** The options that `--help` shows of a command with many: those of a first migration. */
const usual: ReadonlySet<OptionName> = new Set([
  ...(['mapping', 'only', 'appId', 'region', 'rehearseFor', 'yes', 'apiKeyFile', 'store'] as const),
]);

/** A command with more options than this shows only the usual ones in `--help`. */
const shownMax = 12;

const topicOf = (name: OptionName): string | undefined =>
  Object.entries(topics).find(([, names]) => (names as readonly OptionName[]).includes(name))?.[0];

const topics = {
  'Reading the export:': [...optionGroups.reading, ...optionGroups.planning],
  'Destination:': optionGroups.target,
  'Sending:': optionGroups.sending,
  'Files of messages:': optionGroups.media,
  'Output:': optionGroups.output,
  'Checkpoint store:': optionGroups.store,
} as const;

function optionOf(name: OptionName): Option {
  const { description = '', value } = optionsSchema.shape[name].meta() as { description?: string; value?: string };
  if (isSwitchedOff(name)) return new Option(negatedFlagOf(name), description).default(undefined);
  return new Option(`${flagOf(name)}${value === undefined ? '' : ` <${value}>`}`, description);
}

/** `--help-all`: the hidden options too, by topic. */
function addHelpAll(command: Command, hidden: ReadonlyMap<OptionName, Option>): void {
  command.option('--help-all', `all ${command.options.length} options, by topic`);
  command.on('option:help-all', () => {
    for (const [name, option] of hidden) {
      option.hidden = false;
      const topic = topicOf(name);
      if (topic !== undefined) option.helpGroup(topic);
    }
    command.help();
  });
}

/** Adds options to a command: names, values and help from the schema. If there are many, `--help` shows the usual ones. */
export function addOptions(command: Command, names: readonly OptionName[]): Command {
  const hidden = new Map<OptionName, Option>();
  for (const name of names) {
    const option = optionOf(name);
    if (names.length > shownMax && !usual.has(name)) hidden.set(name, option.hideHelp());
    command.addOption(option);
  }
  if (hidden.size > 0) addHelpAll(command, hidden);
  return command
    .option('--config <FILE>', 'Configuration file (default: chatferry.yaml in this folder, once you trust it)')
    .addHelpText(
      'after',
      `\nEvery option is also a key of chatferry.yaml (${exampleKey(names)}) and a variable (${exampleVariable(names)}).`,
    );
}

const longest = (names: readonly OptionName[]) => names.find((name) => /[A-Z]/.test(name)) ?? names[0]!;
const exampleKey = (names: readonly OptionName[]) => `${longest(names)}: …`;
const exampleVariable = (names: readonly OptionName[]) => `${variableOf(longest(names))}=…`;
