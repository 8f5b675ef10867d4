import { toFlag } from '../../config/load-options.ts';
import { type Options, optionDefaults } from '../../config/options.ts';
import { isAlarm, isOpen } from '../../decisions/decision.ts';
import { type ReportData, sumActions, sumArrivals } from '../../report/report-data.ts';
import { ofSeverity } from '../../report/format.ts';
import { quoted } from '../../lib/text/shell-word.ts';
import { exactBytes } from '../../lib/text/units.ts';
import { parseRehearsal } from '../../service/profiles.ts';
import { programName } from '../host.ts';
import { optionGroups } from '../options/flags.ts';

/** Options that decide whose messages go where: without one of these the next command would do something else. */
const decisive = [
  'store',
  'source',
  'workspace',
  'mapping',
  'only',
  'actions',
  'appId',
  'region',
  'to',
  'profile',
  'rehearseFor',
  'retentionDays',
  'people',
  'apiKeyFile',
  'rate',
  'maxFailures',
  ...optionGroups.media,
] as const;

export const importCommand = (options: Options, exports: readonly string[]): string =>
  commandWith('import', decisive, options, exports);

/** Returns the import that was rehearsed, to the destination it was rehearsed for: the hosted service if none was named. */
export function realImport(options: Options, exports: readonly string[]): string {
  const { rehearseFor, profile } = options;
  const command = importCommand({ ...options, to: undefined, rehearseFor: undefined, profile: undefined }, exports);
  const meant = parseRehearsal(rehearseFor ?? (profile === 'spec' ? profile : 'hosted'));
  if (meant.address !== undefined) return `${command} --to ${quoted(meant.address)}`;
  if (meant.appId !== undefined) return `${command} --app-id ${meant.appId} --region …`;
  return meant.profile === 'spec' ? `${command} --to https://…` : `${command} --app-id … --region …`;
}

export function commandsAfterPlan(
  {
    totals,
    followUps,
    arrivals,
    actions,
    invalid,
    problems,
    reading,
    decisions,
  }: Pick<
    ReportData,
    'totals' | 'followUps' | 'arrivals' | 'actions' | 'invalid' | 'problems' | 'reading' | 'decisions'
  >,
  options: Options,
  exports: readonly string[],
): readonly string[] {
  const unread = [...invalid, ...ofSeverity(problems, 'blocks')].find(({ remedy }) => remedy !== '');
  const toRead = unread?.code ?? decisions.find((decision) => isOpen(decision) && !isAlarm(decision))?.id;
  const isLeft = [totals, sumArrivals(arrivals), sumActions(actions)].some(
    ({ pending, unconfirmed }) => pending + unconfirmed > 0,
  );
  if (reading !== undefined && reading.stops.length > 0)
    return [`${commandWith('plan', decisive, options, exports)} --confirm-reading ${reading.digest}`];
  return [
    ...(isLeft || (followUps?.pending ?? 0) > 0 ? [importCommand(options, exports)] : []),
    ...(toRead === undefined ? [] : [`${programName} checks ${quoted(toRead)}`]),
  ];
}

export const planCommandLine = (options: Options, exports: readonly string[]): string =>
  commandWith('plan', ['source', 'workspace', 'mapping'], options, exports);

export const initCommand = (options: Options, exports: readonly string[]): string =>
  commandWith('init', ['source', 'workspace', 'mapping'], options, exports);

function commandWith(
  command: string,
  names: readonly (typeof decisive)[number][],
  options: Options,
  exports: readonly string[],
): string {
  const flags = names.flatMap((name) => {
    const value = options[name];
    return isUsual(name, value) ? [] : [toFlag(name), quoted(formatOption(name, value))];
  });
  return [`${programName} ${command}`, ...exports.map(quoted), ...flags].join(' ');
}

type Value = Options[(typeof decisive)[number]];

const isUsual = (name: string, value: Value): value is undefined | readonly [] =>
  value === undefined ||
  value === optionDefaults[name as keyof Options] ||
  (Array.isArray(value) && value.length === 0);

function formatOption(name: string, value: NonNullable<Value>): string {
  if (typeof value !== 'number') return quotedValue(value);
  if (name === 'maxFailures') return `${Number((value * 100).toPrecision(6))}%`;
  return name === 'bandwidth' ? exactBytes(value) : String(value);
}

const quotedValue = (value: NonNullable<Value>): string =>
  typeof value === 'object' && 'text' in value ? value.text : String(value);
