import { type Command, Option } from 'commander';
import { flagOf, isSwitchedOff, negatedFlagOf, variableOf } from '../../config/load-options.ts';
import { type OptionName, optionsSchema } from '../../config/options.ts';

/** Options that make sense together, by the kind of command. */
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
  output: ['report', 'format', 'json', 'quiet', 'progress', 'logJson'],
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

/** Adds options to a command: names, values and help from the schema. */
export function addOptions(command: Command, names: readonly OptionName[]): Command {
  for (const name of names) {
    const { description = '', value } = optionsSchema.shape[name].meta() as { description?: string; value?: string };
    if (isSwitchedOff(name)) command.addOption(new Option(negatedFlagOf(name), description).default(undefined));
    else command.addOption(new Option(`${flagOf(name)}${value === undefined ? '' : ` <${value}>`}`, description));
  }
  return command
    .option(
      '--config <FILE>',
      'Configuration file (default: chatferry.yaml in this folder; only its harmless keys count until you trust it)',
    )
    .addHelpText(
      'after',
      `\nEvery option is also a key of chatferry.yaml (${exampleKey(names)}) and a variable (${exampleVariable(names)}).`,
    );
}

const longest = (names: readonly OptionName[]) => names.find((name) => /[A-Z]/.test(name)) ?? names[0]!;
const exampleKey = (names: readonly OptionName[]) => `${longest(names)}: …`;
const exampleVariable = (names: readonly OptionName[]) => `${variableOf(longest(names))}=…`;
