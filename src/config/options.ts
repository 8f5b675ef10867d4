import { z } from 'zod';
import { once } from '../lib/once.ts';
import { parseInstant } from '../lib/text/instant.ts';
import { parseFilter } from '../mapping/filter.ts';
import { actionKinds } from '../model/action.ts';
import { peopleWays } from '../model/arrival.ts';
import { driftPolicies, exportScopes, outOfOrderPolicies } from '../model/change.ts';
import { missingMedia } from '../mapping/rules.ts';
import { reportFormats } from '../model/report-formats.ts';
import {
  parseBytes,
  parseCount,
  parseDuration,
  parseRate,
  parseRetention,
  parseShare,
  parsing,
} from '../lib/text/units.ts';
import { docsLink } from '../lib/docs-link.ts';
import { attemptsMax } from '../lib/flow/retry.ts';

/**
 * Every common option, once: flags, their help, `CHATFERRY_…` variables, keys of `chatferry.yaml` and the README's
 * table all come from here. Values arrive as text from all three and are checked here.
 */

const yes = z.union(
  [z.boolean(), z.enum(['true', 'false', '1', '0']).transform((text) => text === 'true' || text === '1')],
  {
    error: 'expected true or false',
  },
);
const text = z.string({ error: 'expected text' }).min(1, { error: 'expected a value, found nothing' });
const via = <T>(parse: (value: string) => T) => z.string({ error: 'expected one value' }).transform(parsing(parse));

/** Names with commas between them, each one of `names`. */
const commaList =
  <Name extends string>(names: readonly Name[]) =>
  (value: string, context: z.RefinementCtx): readonly Name[] => {
    const given = value.split(',').map((name) => name.trim());
    const unknown = given.find((name) => !(names as readonly string[]).includes(name));
    if (unknown === undefined) return names.filter((name) => given.includes(name));
    context.addIssue({ code: 'custom', message: `expected some of ${names.join(', ')}, found "${unknown}"` });
    return z.NEVER;
  };

/** Topics of `--help-all`, in its order. */
export const topics = ['reading', 'planning', 'target', 'sending', 'media', 'output', 'store'] as const;
export type Topic = (typeof topics)[number];

/** Everything about an option besides its values and its help. */
interface Traits {
  /** Placeholder after the flag in help texts; an option without it is a switch. */
  readonly value?: string;
  readonly topic?: Topic;
  /** `--help` of a command with many options shows it: those of a first migration. */
  readonly isUsual?: true;
  /** A job may set it; `submissions`: the command line of `submit` too. The rest would make no sense without a person watching. */
  readonly in?: 'jobs' | 'submissions';
  /** An answer to a question: no key of a file. */
  readonly isConsent?: true;
  /** It is on unless its flag says no. */
  readonly isOn?: true;
}

/** An option. Its schema is made when it is first used: those of all options take a fifth of a short command. */
interface Option<S extends z.ZodType> {
  readonly schema: () => S;
  readonly description: string;
  readonly traits: Traits;
  /** Absent unless the user gives it. */
  readonly isOptional?: true;
}

const option = <S extends z.ZodType>(make: () => S, description: string, traits: Traits = {}): Option<S> => ({
  schema: once(make),
  description,
  traits,
});
const optional = <S extends z.ZodType>(make: () => S, description: string, traits: Traits = {}) => ({
  ...option(() => make().optional(), description, traits),
  isOptional: true as const,
});

const off = once(() => yes.default(false));
const switchOption = (description: string, traits?: Traits) => option(off, description, traits);
const textOption = (description: string, traits?: Traits) => optional(() => text, description, traits);

const table = {
  store: option(() => text.default('./chatferry.db'), 'Checkpoint store: records planned messages and their results', {
    value: 'FILE',
    topic: 'store',
    isUsual: true,
    in: 'jobs',
  }),
  allowNetworkFs: switchOption('Keep the store on a network file system, where locks and flushes may be unreliable', {
    topic: 'store',
    in: 'jobs',
  }),
  appId: textOption('Destination: an app of the hosted service, by its id; needs --region', {
    value: 'ID',
    topic: 'target',
    isUsual: true,
    in: 'submissions',
  }),
  region: optional(() => z.enum(['us', 'eu', 'in']), 'Region of the app: us, eu or in', {
    value: 'NAME',
    topic: 'target',
    isUsual: true,
    in: 'submissions',
  }),
  to: textOption(
    'Destination, if not an app of the hosted service: a base address before /v3, or "sandbox" for the embedded one (default)',
    { value: 'URL', topic: 'target', in: 'submissions' },
  ),
  profile: optional(
    () => z.enum(['spec', 'hosted', 'sandbox']),
    'Profile of the destination: hosted (default for an app of the hosted service, also by its address), spec (default for any other address), sandbox',
    { value: 'NAME', topic: 'target', in: 'submissions' },
  ),
  rehearseFor: textOption(
    'Rehearse in the embedded sandbox by the limits of a destination: hosted, spec, an app id or an address. Default: the destination of chatferry.yaml, if you pass --to sandbox',
    { value: 'WHAT', topic: 'target', isUsual: true, in: 'jobs' },
  ),
  source: textOption('Source of the export, if it is not recognised or two sources fit', {
    value: 'NAME',
    topic: 'reading',
    in: 'submissions',
  }),
  workspace: textOption('Workspace id, for exports that do not name theirs', {
    value: 'ID',
    topic: 'reading',
    in: 'submissions',
  }),
  mapping: textOption('Mapping file: how people, conversations and messages are migrated', {
    value: 'FILE',
    topic: 'planning',
    isUsual: true,
    in: 'submissions',
  }),
  allowMappingChange: switchOption('Apply a changed mapping although messages were already sent under the old one', {
    topic: 'planning',
    in: 'submissions',
  }),
  confirmReading: textOption(
    'Confirm how the rows of tables are read, by the digest that the picture of the reading ends with',
    { value: 'DIGEST', topic: 'planning', isConsent: true },
  ),
  decidedBy: textOption('Name under which a confirmation is noted. Default: the user of the operating system', {
    value: 'NAME',
    topic: 'planning',
  }),
  only: optional(
    () => via(parseFilter),
    `Only messages that this filter finds, such as "in:general after:2024-01-01"; ${docsLink('guides/filters')} has the language`,
    { value: 'FILTER', topic: 'planning', isUsual: true, in: 'submissions' },
  ),
  actions: option(
    () =>
      z
        .string({ error: 'expected text' })
        .optional()
        .transform((value, context) => (value === undefined ? [] : commaList(actionKinds)(value, context))),
    `Actions after the messages, separated by commas: friends, reactions, blocks, deactivations (default none; deactivations where people are imported). People may be notified; ${docsLink('guides/actions')}`,
    { value: 'LIST', in: 'submissions' },
  ),
  drift: option(
    () => z.enum(driftPolicies).default('report'),
    `Messages that changed at the source after they were sent: report (default), send (a message says what changed), ignore; ${docsLink('guides/drift')}`,
    { value: 'WHAT', topic: 'planning', in: 'submissions' },
  ),
  exportScope: option(
    () => z.enum(exportScopes).default('full'),
    'Scope of the export: full (default: a message missing from it was deleted), window (the last days or weeks: a missing older message was not deleted)',
    { value: 'WHAT', topic: 'planning', in: 'submissions' },
  ),
  failOn: optional(
    () => z.enum(['blocks', 'decision', 'information']),
    'End a plan with exit code 3 if a check of this severity or worse finds something: blocks, decision, information',
    { value: 'LEVEL' },
  ),
  checkMedia: switchOption(
    'After planning, ask a sample of the addresses of attachments whether the files are there: 20 of a host, 200 in all',
  ),
  mediaTo: textOption(
    `Copy the files of messages to permanent storage, and send their new addresses: s3://bucket/prefix or a folder; ${docsLink('guides/media')}`,
    { value: 'LOCATION', topic: 'media' },
  ),
  mediaBaseUrl: textOption('Address before the names of copied files at which people open them; needed for a folder', {
    value: 'URL',
    topic: 'media',
  }),
  mediaMissing: optional(
    () => z.enum(missingMedia),
    'If the file of a message could not be copied: wait (default), original (send the message with the old address), name (send it with the name of the file)',
    { value: 'WHAT', topic: 'media' },
  ),
  mediaEndpoint: textOption('Endpoint of a bucket that is not at Amazon', {
    value: 'URL',
    topic: 'media',
  }),
  mediaRegion: textOption('Region of the bucket (default us-east-1)', { value: 'NAME', topic: 'media' }),
  mediaCredentials: textOption(
    'File with the keys of the bucket, mode 0600. Else AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY',
    { value: 'FILE', topic: 'media' },
  ),
  mediaToken: textOption(
    'File with the token of the old system that opens its files, mode 0600; sent to its hosts alone',
    { value: 'FILE', topic: 'media' },
  ),
  mediaTokenHosts: option(
    () => text.optional().transform((value) => value?.split(',').map((host) => host.trim())),
    "Hosts that get the token, with commas between (default: those of the source, such as Slack's files.slack.com)",
    { value: 'LIST', topic: 'media' },
  ),
  bandwidth: optional(() => via(parseBytes), 'Bytes a second at most that files are fetched with, such as 10MiB', {
    value: 'SIZE',
    topic: 'media',
  }),
  showMessage: textOption(
    'Print one message exactly as import sends it, with the details of people that may travel with it apart',
    { value: 'MUID' },
  ),
  report: textOption('Folder of the report (default: next to the store, chatferry.report)', {
    value: 'DIR',
    topic: 'output',
    in: 'jobs',
  }),
  format: option(
    () => z.string({ error: 'expected text' }).default('html,json,csv').transform(commaList(reportFormats)),
    'Files of the report, with commas between: html, json, csv, markdown (default html,json,csv)',
    { value: 'LIST', topic: 'output', in: 'jobs' },
  ),
  anonymous: switchOption(
    'Leave out names, ids, texts and locations, to pass the report on: no csv, and in the folder anonymous of the report by default',
  ),
  json: switchOption('Print one JSON object as the last line of standard output', { topic: 'output' }),
  quiet: switchOption('No progress, only the result', { topic: 'output' }),
  progress: optional(
    () => z.enum(['plain', 'live', 'json', 'none']),
    `How progress is shown on standard error: plain (lines), live (redrawn in place), json (an object per line: ${docsLink('guides/progress')}), none (default: live on a terminal, else plain)`,
    { value: 'HOW', topic: 'output' },
  ),
  yes: switchOption('Do not ask before sending', { topic: 'sending', isUsual: true, isConsent: true }),
  apiKeyFile: textOption('File with the API key, mode 0600; "-" reads standard input. Else CHATFERRY_API_KEY', {
    value: 'FILE',
    topic: 'sending',
    isUsual: true,
    in: 'submissions',
  }),
  rate: optional(() => via(parseRate), 'Import requests per minute: 60 or 60/min', {
    value: 'N',
    topic: 'sending',
    in: 'submissions',
  }),
  retentionDays: optional(
    () => via(parseRetention),
    'Days that the destination keeps messages, if they differ from the profile: 730, or unlimited',
    { value: 'N', topic: 'target', in: 'submissions' },
  ),
  people: optional(
    () => z.enum(peopleWays),
    'How people and groups come, if it differs from the profile: import (operations of their own), with-messages',
    { value: 'HOW', topic: 'target', in: 'submissions' },
  ),
  batchItems: optional(() => via((value) => parseCount(value, 1, 1000)), 'Messages per request', {
    value: 'N',
    topic: 'sending',
    in: 'submissions',
  }),
  batchBytes: optional(() => via(parseBytes), 'Bytes per request, such as 512KiB', {
    value: 'SIZE',
    topic: 'sending',
    in: 'submissions',
  }),
  concurrency: option(
    () => via((value) => parseCount(value, 1, 64)).default(8),
    'Requests in flight at most (default 8)',
    {
      value: 'N',
      topic: 'sending',
      in: 'submissions',
    },
  ),
  gracePeriod: optional(
    () => via(parseDuration),
    'How long a message without an answer may still arrive before it is sent again, such as 90s',
    { value: 'TIME', topic: 'sending', in: 'submissions' },
  ),
  duplicates: optional(
    () => z.enum(['unknown', 'refused']),
    'Response of the destination to a message id that it already has: unknown, refused',
    { value: 'WHAT', topic: 'sending', in: 'submissions' },
  ),
  sendProfiles: option(
    () => z.enum(['first', 'always', 'never']).default('first'),
    'When names and avatars travel with messages: first, always, never',
    { value: 'WHEN', topic: 'sending', in: 'submissions' },
  ),
  maxFailures: option(
    () => via(parseShare).default(0.2),
    'Stop when more than this share of the last 200 messages fails with one code; 100% never stops (default 20%)',
    { value: 'SHARE', topic: 'sending', in: 'submissions' },
  ),
  outOfOrder: option(
    () => z.enum(outOfOrderPolicies).default('warn'),
    'New messages that are older than messages already sent: warn (default: send them; the report counts them as late), reject, allow (send, do not count)',
    { value: 'WHAT', topic: 'sending', in: 'submissions' },
  ),
  probeDuplicates: switchOption(
    'Import one message twice into a scratch conversation, to see whether the second is refused; needs --yes, remembered in the store',
  ),
  watch: switchOption('Go on until the process that imports or plans has ended'),
  interval: option(
    () => via(parseDuration).default(2_000),
    'How often to look while watching, such as 5s (default 2s); less often where looking takes long',
    { value: 'TIME' },
  ),
  out: textOption('File to write; ".gz" packs it, "-" is standard output', { value: 'FILE' }),
  force: switchOption('Replace the file that --out names', { isConsent: true }),
  from: textOption('Provider to fetch from, or the base address of a chat service before /v3', {
    value: 'PROVIDER',
  }),
  since: optional(() => via((value) => parseInstant(value).firstSecond), 'Only messages from this time on', {
    value: 'TIME',
  }),
  until: optional(() => via((value) => parseInstant(value).lastSecond), 'Only messages up to this time', {
    value: 'TIME',
  }),
  pageSize: optional(
    () => via((value) => parseCount(value, 1, 1000)),
    'Messages per page, 1 to 1000 (default: the most that the provider gives); fewer where messages are very large',
    { value: 'N' },
  ),
  code: textOption('Only messages that failed with this code', { value: 'CODE' }),
  oneByOne: switchOption(
    `Send what imports left quarantined, each message alone, and give up those that stay unanswered ${attemptsMax} times, even if nothing else is left to show that the destination is well`,
    { isConsent: true },
  ),
  trackUsers: switchOption(
    "Ask before each person's first message whether the destination has them: undo can then deactivate the others",
    { topic: 'sending', in: 'submissions' },
  ),
  keepUsers: switchOption('Leave people whom the import created; otherwise those without messages are deactivated'),
  dryRun: switchOption('Show what would be deleted and what would be kept, and send nothing'),
  newMuids: switchOption('Give messages that are gone new ids: for a destination that never takes an id twice'),
  readBack: option(
    () => yes.default(true),
    'Do not read back: for a destination that lists no messages. Messages without an answer stay unconfirmed',
    { topic: 'sending', in: 'submissions', isOn: true },
  ),
  repair: switchOption('Send missing messages again, and no other pending messages'),
  sample: optional(
    () => via((value) => parseCount(value, 1, 1_000_000)),
    'Check only this many messages, chosen at random across conversations; no other message is verified',
    { value: 'N' },
  ),
  verify: option(
    () => yes.default(true),
    'Do not read back sent messages after an import; the import then exits with 6',
    {
      topic: 'sending',
      in: 'submissions',
      isOn: true,
    },
  ),
} as const satisfies Readonly<Record<string, Option<z.ZodType>>>;

type Table = typeof table;
export type OptionName = keyof Table;
type Shape = { readonly [Name in OptionName]: ReturnType<Table[Name]['schema']> };
export type Options = z.output<z.ZodObject<Shape, z.core.$strict>>;

export const optionNames = Object.keys(table) as OptionName[];

export const isOption = (name: string): name is OptionName => Object.hasOwn(table, name);

export const optionHelp = (name: OptionName): Pick<Option<z.ZodType>, 'description' | 'traits'> => table[name];

/** The schema of all options, with their help. */
export const optionsSchema = once(() =>
  z.strictObject(
    Object.fromEntries(
      Object.entries(table).map(([name, { schema, description, traits }]) => [
        name,
        schema().meta({ description, traits }),
      ]),
    ) as unknown as Shape,
  ),
);

/** Checks values and adds defaults; undefined if something is wrong: `optionsSchema` says what. */
export function checkOptions(values: Readonly<Record<string, unknown>>): Options | undefined {
  if (!Object.keys(values).every(isOption)) return undefined;
  const checked: Record<string, unknown> = {};
  for (const [name, { schema, isOptional }] of Object.entries<Option<z.ZodType>>(table)) {
    if (isOptional && values[name] === undefined) continue;
    const { success, data } = schema().safeParse(values[name]);
    if (!success) return undefined;
    checked[name] = data;
  }
  return checked as Options;
}

export const optionDefaults = checkOptions({})!;

const namesWith = (has: (traits: Traits) => boolean) => optionNames.filter((name) => has(optionHelp(name).traits));

export const namesInTopic = (topic: Topic): readonly OptionName[] => namesWith((traits) => traits.topic === topic);
export const jobOptionNames: readonly OptionName[] = namesWith((traits) => traits.in !== undefined);
export const submittedNames: readonly OptionName[] = namesWith((traits) => traits.in === 'submissions');
/** Answers to questions: no keys of a file. */
export const consents: readonly OptionName[] = namesWith((traits) => traits.isConsent === true);

/** `chatferry.db` → `chatferry.report`. */
export const reportFolderOf = ({ report, store }: Pick<Options, 'report' | 'store'>): string =>
  report ?? `${store.replace(/\.db$/, '')}.report`;
