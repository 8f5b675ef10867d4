import { asks, type Option, outside, sets, withCount } from '../model/option.ts';
import type { ConversationRecord, MessageRecord, UserRecord } from '../model/records.ts';
import type { Facts } from '../model/facts.ts';
import { keptFromMs, type MessageLimits, type Profile } from '../service/profiles.ts';
import { once } from '../lib/once.ts';
import { kitCodes, registry } from '../sources/late.ts';
import type { Store } from '../store/open.ts';
import type { RowCounts } from '../store/messages.ts';
import { copyFilesWithToken, dropFiles, keepAddresses, newAddresses } from './checks/attachments.ts';
import { blockingChecks, dayMs, earliestMs } from './checks/blocking.ts';
import {
  type Check,
  type Concern,
  type ConversationCheck,
  decisionCheck,
  type MessageCheck,
  noteCheck,
  type PersonCheck,
  type RecordContext,
} from './checks/check.ts';
import { conversationChecks } from './checks/conversations.ts';
import { messageChecks, restrictedCheck } from './checks/messages.ts';
import { personChecks } from './checks/people.ts';
import { archivesCodes, stagingCodes } from './checks/reading.ts';
import { isUnusual } from './checks/texts.ts';
import { wholeChecks } from './checks/whole.ts';

/** Findings of reading and staging themselves, without a check of their own: the codes of invalid rows and problems. */
export const readingCodes = (): readonly Check[] => [...registry().sourceCodes, ...archivesCodes, ...stagingCodes];

/** Codes that `plan --check-media` finds by requesting addresses: the only codes that need the network. */
export const mediaCodes = [
  decisionCheck({
    code: 'attachment-dead',
    title: 'Files that are gone',
    explanation: 'The address was asked, and its server says that there is nothing, or will not give it.',
    about: 'attachment',
    question: 'Where can files be had that are gone from their address?',
    options: [newAddresses, keepAddresses, dropFiles, outside('Look whether the old system still has the files')],
    otherwise: 'the addresses are sent as they are, and open nothing',
  }),
  decisionCheck({
    code: 'attachment-login-page',
    title: 'Files that only open after a login',
    explanation:
      'The address was asked without a login, as people at the destination will ask it, and a page for people to log in came back, or a refusal (401, 403), instead of the file.',
    about: 'attachment',
    question: 'What should become of files that open only after a login?',
    options: [copyFilesWithToken, newAddresses, keepAddresses, dropFiles],
    otherwise: 'the addresses are sent as they are, and show people a page to log in',
  }),
  noteCheck({
    code: 'attachment-unreachable',
    title: 'Files that could not be asked for',
    explanation:
      'The server of the address did not answer, answered with a fault of its own, or sent the question on to an address that is not asked. Nothing is known of the file.',
    remedy:
      'Run the plan with --check-media again later, or from another network; open one of the addresses in a browser.',
  }),
] as const satisfies readonly Check[];

export type MediaCode = (typeof mediaCodes)[number]['code'];

/** Those of no source. */
const ownChecks: readonly Check[] = [
  ...[...blockingChecks, ...messageChecks, restrictedCheck, ...mediaCodes],
  ...[...personChecks, ...conversationChecks, ...wholeChecks],
  ...[...kitCodes, ...archivesCodes, ...stagingCodes],
];

/** Every code that a plan may report, once, and what to do about each. */
export const catalogue = once((): readonly Check[] => [
  ...new Set([...ownChecks, ...registry().sources.flatMap(({ codes = [] }) => codes)]),
]);

const byCode = (checks: readonly Check[]): ReadonlyMap<string, Check> =>
  new Map(checks.map((check) => [check.code, check]));
const ownByCode = byCode(ownChecks);
const anyByCode = once(() => byCode(catalogue()));

/** Names of rules have spaces, and codes of the service capitals: for these no source is loaded. */
const isOfCheck = /^[a-z0-9]+(?:[-_][a-z0-9]+)*$/;

export const findCheck = (code: string): Check | undefined =>
  ownByCode.get(code) ?? (isOfCheck.test(code) ? anyByCode().get(code) : undefined);

/** Returns the remedy, in sentences; for a decision, its options. */
export const describeRemedy = (check: Check): string =>
  check.severity === 'decision'
    ? check.options.map(({ does }) => `${withCount(does, 'these messages')}.`).join(' Or: ')
    : check.remedy;

export interface Finding {
  readonly code: string;
  readonly detail: string;
}

/** The checks by what they concern, in the order of the registry. */
const concerning = Object.groupBy(messageChecks, ({ concerns }) => concerns) as Readonly<
  Record<Concern, readonly MessageCheck[]>
>;

const none: readonly Finding[] = [];

/** Runs the non-blocking checks on a message. A feature that most messages lack costs them one comparison. */
export function askMessage(record: MessageRecord, context: RecordContext): readonly Finding[] {
  let found = ask(concerning.anything, record, context, none);
  if (record.threadRoot !== undefined) found = ask(concerning.replies, record, context, found);
  if (record.quoteOf !== undefined) found = ask(concerning.quotes, record, context, found);
  if (record.isBroadcast) found = ask(concerning.broadcasts, record, context, found);
  if (record.custom) found = ask(concerning['own facts'], record, context, found);
  if (record.isDeleted) found = ask(concerning.deletions, record, context, found);
  if (record.call) found = ask(concerning.calls, record, context, found);
  if (isUnusual(record.text)) found = ask(concerning['unusual text'], record, context, found);
  if (record.attachments?.length) found = ask(concerning.attachments, record, context, found);
  if (record.reactions?.length) found = ask(concerning.reactions, record, context, found);
  if (record.mentions?.length) found = ask(concerning.mentions, record, context, found);
  if (record.edited) found = ask(concerning.edit, record, context, found);
  return found;
}

/** Runs the check of messages that are left out until they are decided about. */
export const askRestricted = (record: MessageRecord, context: RecordContext): readonly Finding[] =>
  ask([restrictedCheck], record, context, none);

const placeholderChecks = personChecks.filter(({ isOfPlaceholders }) => isOfPlaceholders);

export const askPerson = (user: UserRecord, context: Parameters<PersonCheck['find']>[1]): readonly Finding[] =>
  ask(user.isPlaceholder ? placeholderChecks : personChecks, user, context, none);

export const askConversation = (
  conversation: ConversationRecord,
  context: Parameters<ConversationCheck['find']>[1],
): readonly Finding[] => ask(conversationChecks, conversation, context, none);

export const findMessageCheck = (code: string) => messageChecks.find((one) => one.code === code);

export const findPersonCheck = (code: string) => personChecks.find((one) => one.code === code);

export const findConversationCheck = (code: string) => conversationChecks.find((one) => one.code === code);

/** Most calls find nothing: a list is created for the first finding only. */
function ask<Subject, Context>(
  checks: readonly (Check & { find(subject: Subject, context: Context): string | undefined })[],
  subject: Subject,
  context: Context,
  before: readonly Finding[],
): readonly Finding[] {
  let found = before;
  for (const check of checks) {
    const detail = check.find(subject, context);
    if (detail !== undefined) found = [...found, { code: check.code, detail }];
  }
  return found;
}

/** Returns the fault of invalid messages in a few words, for a headline: `older than the 183 days the service keeps`. Most have no other than the title of their check. */
export const shortFault = (code: string, limits: MessageLimits): string | undefined =>
  blockingChecks.find((check) => check.code === code)?.inShort?.(limits);

/**
 * Returns the first and the last time that a message may have, in epoch ms, by these checks and `messages.olderThan`.
 *
 * @param olderThan Start set by the mapping's own `olderThan`, in epoch ms, if it has one.
 */
export function takenTimes(
  nowMs: number,
  { retentionDays }: MessageLimits,
  olderThan = earliestMs,
): { readonly fromMs: number; readonly toMs: number } {
  const kept = retentionDays === undefined ? earliestMs : keptFromMs(nowMs, retentionDays);
  return { fromMs: Math.max(earliestMs, kept, olderThan), toMs: nowMs + dayMs };
}

/**
 * Asks everything that is staged (needs `collectWriters` and the indexes of `message`), in place of what was found before.
 *
 * @param counts Where every row is as they counted it: what none of them has is not looked for.
 */
export function askWhole(store: Store, { people }: Pick<Profile, 'people'>, counts?: RowCounts): void {
  store.messages.collectOddReplies(counts);
  const isFiltered = (store.facts.read('only') ?? '') !== '';
  const asked = wholeChecks.filter(
    ({ isAboutAbsence, peopleCome = people }) => !(isFiltered && isAboutAbsence) && peopleCome === people,
  );
  store.problems.replaceWhole(
    asked.map(({ code, find, isAbsent }) => ({ code, findings: counts && isAbsent?.(counts) ? [] : find(store) })),
  );
}

/** Something that a key of the mapping brings, and that most do without. */
interface Choice {
  /** No check has it. */
  readonly code: string;
  readonly explanation: string;
  readonly question: string;
  readonly options: readonly Option[];
}

/** Messages that are left out unless a key of the mapping says `keep`. */
export interface LeftOut extends Choice {
  /** Takes `skip`, the default, and `keep`. */
  readonly key: string;
  readonly fact: keyof Facts;
  /** Names of losses in a report that count them: those that are left out, and those that are sent. */
  readonly losses: readonly [leftOut: string, sent: string];
}

export const leftOutByDefault: readonly LeftOut[] = [
  {
    code: 'system-lines',
    key: 'messages.system',
    fact: 'system',
    explanation: 'Joins, topics and the like: the old system wrote them, and no person.',
    question: 'Should lines be sent that the platform wrote?',
    options: [
      sets('Leave {count} out', { 'messages.system': 'skip' }),
      {
        ...sets('Send {count}', { 'messages.system': 'keep' }),
        because: 'Each is shown as a message of the person that it names.',
      },
    ],
    losses: ['system lines', 'system line marks'],
  },
  {
    code: 'internal-messages',
    key: 'messages.internal',
    fact: 'internal',
    explanation: 'Private notes, side conversations and steps of bots, which the old system showed to agents alone.',
    question: 'May everyone in a conversation read its internal messages?',
    options: [
      sets('Leave {count} out', { 'messages.internal': 'skip' }),
      {
        ...sets('Send {count}', { 'messages.internal': 'keep' }),
        because: 'Everyone in the conversation can read them, customers too.',
      },
    ],
    losses: ['internal messages', 'internal message marks'],
  },
  {
    code: 'calls',
    key: 'messages.calls',
    fact: 'calls',
    explanation: 'Calls and huddles, of which the export has a line each.',
    question: 'Should calls be sent, as messages?',
    options: [
      sets('Leave {count} out', { 'messages.calls': 'skip' }),
      {
        ...sets('Send {count}', { 'messages.calls': 'keep' }),
        because: 'Each is shown as a message with the text of that line.',
      },
    ],
    losses: ['calls', 'call details'],
  },
  {
    code: 'deleted-messages',
    key: 'messages.deleted',
    fact: 'deleted',
    explanation: 'They were deleted in the old system, and the export still names them.',
    question: 'May deleted messages be read again?',
    options: [
      sets('Leave {count} out', { 'messages.deleted': 'skip' }),
      {
        ...sets('Send what is left of {count}', { 'messages.deleted': 'keep' }),
        because:
          'What the export still has of them becomes readable for everyone in the conversation. Those of which nothing is left cannot be sent.',
      },
    ],
    losses: ['deleted messages', 'deletion marks'],
  },
];

/** Choices about people, for a destination that imports them. */
export interface PeopleChoice extends Choice {
  readonly ifUndecided: { readonly sends: string } | { readonly keepsBack: string };
  /** Name of the loss in a report that counts them; `bots`: all of the export. */
  readonly counts: string;
}

const metadataChoice = (what: string, key: string, example: string): PeopleChoice => ({
  code: what.replace(' ', '-'),
  counts: what,
  explanation: `The service has no field for ${what}. The metadata of a user can hold them.`,
  question: `Should ${what} be imported, as metadata?`,
  options: [asks('Import them under this name', key, example)],
  ifUndecided: { keepsBack: 'they are not imported' },
});

export const peopleChoices: readonly PeopleChoice[] = [
  {
    code: 'people-not-imported',
    counts: 'people who never wrote',
    explanation: 'These people are in no conversation of which something is sent.',
    question: 'Should everyone in the export be imported, or only people in conversations?',
    options: [
      sets('Import only people in conversations that are sent', { 'people.everyone': 'false' }),
      {
        ...sets('Import everyone', { 'people.everyone': 'true' }),
        because: 'Each becomes a user there, with a name and a picture, and can be found by others.',
      },
    ],
    ifUndecided: { keepsBack: 'they are not imported' },
  },
  metadataChoice('e-mail addresses', 'people.emailAs', 'email'),
  metadataChoice('telephone numbers', 'people.phoneAs', 'phone'),
  {
    code: 'bot-role',
    counts: 'bots',
    explanation: 'Bots become users like everyone else. A role tells them apart, if the service has one for them.',
    question: 'Which role should bots have?',
    options: [
      {
        ...asks('Give bots this role', 'people.botRole', 'bot'),
        because: 'The service refuses a bot if the role does not exist there.',
      },
    ],
    ifUndecided: { sends: 'they have the role of everyone' },
  },
];
