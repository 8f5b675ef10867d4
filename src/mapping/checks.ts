import type { ConversationRecord, MessageRecord, UserRecord } from '../model/records.ts';
import type { Facts } from '../model/facts.ts';
import { keptFromMs, type MessageLimits } from '../service/profiles.ts';
import { kitCodes, sourceCodes, sources } from '../sources/registry.ts';
import type { Store } from '../store/open.ts';
import type { RowCounts } from '../store/messages.ts';
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
export const readingCodes: readonly Check[] = [...sourceCodes, ...archivesCodes, ...stagingCodes];

/** Codes that `plan --check-media` finds by requesting addresses: the only codes that need the network. */
export const mediaCodes = [
  decisionCheck({
    code: 'attachment-dead',
    title: 'Files that are gone',
    explanation: 'The address was asked, and its server says that there is nothing, or will not give it.',
    about: 'nothing',
    options: [
      'Look whether the old system still has the files, put them on a server of your own, and rewrite their addresses (messages.attachmentUrls).',
      'Accept that they are lost.',
    ],
    otherwise: 'the addresses are sent as they are, and open nothing',
  }),
  decisionCheck({
    code: 'attachment-login-page',
    title: 'Files that only open after a login',
    explanation:
      'The address was asked without a login, as people at the destination will ask it, and a page for people to log in came back, or a refusal (401, 403), instead of the file.',
    about: 'nothing',
    options: [
      'Download the files with a login while the old system runs, put them on a server of your own, and rewrite their addresses (messages.attachmentUrls).',
      'Accept that only people with a login can open them.',
    ],
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

/** Checks that a reader looks up together: a page each in docs/reference/checks. */
interface CheckTopic {
  /** File name of the page. */
  readonly name: string;
  /** As in "a code about messages". */
  readonly title: string;
  readonly checks: readonly Check[];
}

/** Codes of sources that share some, such as those of tables, are on the page of each. */
export const checkTopics: readonly CheckTopic[] = [
  {
    name: 'messages',
    title: 'messages',
    checks: [...blockingChecks, ...messageChecks, restrictedCheck, ...mediaCodes],
  },
  { name: 'people', title: 'people and conversations', checks: [...personChecks, ...conversationChecks] },
  { name: 'export', title: 'the export as a whole', checks: wholeChecks },
  { name: 'files', title: 'files and rows', checks: [...kitCodes, ...archivesCodes, ...stagingCodes] },
  ...sources.flatMap(({ name, codes = [] }) =>
    codes.length === 0 ? [] : [{ name, title: `the source ${name}`, checks: codes }],
  ),
];

/** Every code that a plan may report, once, and what to do about each. */
export const catalogue: readonly Check[] = [...new Set(checkTopics.flatMap(({ checks }) => checks))];

const byCode: ReadonlyMap<string, Check> = new Map(catalogue.map((check) => [check.code, check]));

export const findCheck = (code: string): Check | undefined => byCode.get(code);

/** Returns the remedy, in sentences; for a decision, its options. */
export const describeRemedy = (check: Check): string =>
  check.severity === 'decision' ? check.options.join(' Or: ') : check.remedy;

/** Result of a check, in words. */
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

/** The check of this code that looks at people, or nothing. */
export const findPersonCheck = (code: string) => personChecks.find((one) => one.code === code);

/** The check of this code that looks at conversations, or nothing. */
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
export function askWhole(store: Store, counts?: RowCounts): void {
  store.messages.collectOddReplies(counts);
  const isFiltered = (store.facts.read('only') ?? '') !== '';
  const asked = wholeChecks.filter(({ isAboutAbsence }) => !(isFiltered && isAboutAbsence));
  store.problems.replaceWhole(
    asked.map(({ code, find, isAbsent }) => ({ code, findings: counts && isAbsent?.(counts) ? [] : find(store) })),
  );
}

/** Messages that are left out unless a key of the mapping says `keep`. */
export interface LeftOut {
  /** No check has it. */
  readonly code: string;
  /** Takes `skip`, the default, and `keep`. */
  readonly key: string;
  /** The fact that each of these messages has. */
  readonly fact: keyof Facts;
  readonly title: string;
  readonly explanation: string;
  /** What becomes of them if they are kept. */
  readonly kept: string;
  /** Names of losses in a report that count them: those that are left out, and those that are sent. */
  readonly losses: readonly [leftOut: string, sent: string];
}

export const leftOutByDefault: readonly LeftOut[] = [
  {
    code: 'system-lines',
    key: 'messages.system',
    fact: 'system',
    title: 'Lines that the platform wrote',
    explanation: 'Joins, topics and the like: the old system wrote them, and no person.',
    kept: 'Each is shown as a message of the person that it names.',
    losses: ['system lines', 'system line marks'],
  },
  {
    code: 'internal-messages',
    key: 'messages.internal',
    fact: 'internal',
    title: 'Internal messages',
    explanation: 'Private notes, side conversations and steps of bots, which the old system showed to agents alone.',
    kept: 'Everyone in the conversation can read them, customers too.',
    losses: ['internal messages', 'internal message marks'],
  },
  {
    code: 'calls',
    key: 'messages.calls',
    fact: 'calls',
    title: 'Calls',
    explanation: 'Calls and huddles, of which the export has a line each.',
    kept: 'Each is shown as a message with the text of that line.',
    losses: ['calls', 'call details'],
  },
  {
    code: 'deleted-messages',
    key: 'messages.deleted',
    fact: 'deleted',
    title: 'Deleted messages',
    explanation: 'They were deleted in the old system, and the export still names them.',
    kept: 'What the export still has of them becomes readable for everyone in the conversation. Those of which nothing is left cannot be sent.',
    losses: ['deleted messages', 'deletion marks'],
  },
];

/** An option of a check that asks for a decision, as settings of the mapping. */
export interface CheckAnswer {
  /** Index in the check's `options`. An option may have several answers, and most have none: they are work outside of Chatferry. */
  readonly option: number;
  /** What it does, if the option has several. */
  readonly label?: string;
  /** Keys and values as `--set` takes them. */
  readonly sets: readonly (readonly [key: string, value: string])[];
}

function one(option: number, key: string, value: string, label?: string): CheckAnswer {
  return { option, sets: [[key, value]], ...(label !== undefined && { label }) };
}

/** By code. Options that need an id, a name or a list of the user are not here: no setting is right for all. */
const answers: Readonly<Record<string, readonly CheckAnswer[]>> = {
  'attachment-token': [one(2, 'messages.attachments', 'drop')],
  'attachment-without-address': [one(1, 'messages.attachments', 'placeholder')],
  'author-not-described': [
    one(2, 'people.unknownAuthors', 'skip', 'Leave out their messages.'),
    one(2, 'people.unknownAuthors', 'reject', 'Count their messages as invalid: none is sent.'),
  ],
  'deleted-with-text': [one(0, 'messages.deleted', 'skip'), one(1, 'messages.deleted', 'keep')],
  'imessage-not-sent': [one(0, 'source.notSent', 'skip')],
  'irc-nick-on-networks': [one(1, 'source.people', 'one-per-network')],
  'kakaotalk-same-name': [one(0, 'source.sameName', 'together'), one(1, 'source.sameName', 'apart')],
  'line-date-order': [one(0, 'source.dates', 'day-first'), one(1, 'source.dates', 'month-first')],
  'line-same-name': [one(0, 'source.sameName', 'together'), one(1, 'source.sameName', 'apart')],
  'message-only-file': [
    one(2, 'messages.onlyFiles', 'name'),
    {
      option: 3,
      sets: [
        ['messages.onlyFiles', 'blank'],
        ['messages.empty', 'skip'],
      ],
    },
  ],
  'no-author': [one(1, 'people.unknownAuthors', 'reject')],
  'private-note': [one(0, 'messages.restricted', 'skip'), one(1, 'messages.restricted', 'keep')],
  'text-html': [one(0, 'source.messages.text.markup', 'html')],
  'third-writer': [
    one(0, 'conversations.outsiders', 'group'),
    one(1, 'conversations.outsiders', 'reject'),
    one(2, 'people.bots', 'skip'),
  ],
  'whatsapp-app-or-person': [one(0, 'source.unknownLines', 'people'), one(1, 'source.unknownLines', 'app')],
  'whatsapp-date-order': [
    one(0, 'source.dates', 'day-first', 'The day comes first: 3/4 is 3 April.'),
    one(0, 'source.dates', 'month-first', 'The month comes first: 3/4 is March 4.'),
  ],
  'whatsapp-other-form': [one(0, 'source.otherForms', 'text'), one(1, 'source.otherForms', 'messages')],
  'whatsapp-same-name': [one(0, 'source.sameName', 'apart'), one(1, 'source.sameName', 'together')],
  'zone-assumed': [one(1, 'source.zone', 'UTC')],
};

/** An option of a check that asks for a value that only the user knows. */
export interface OwnValue {
  /** Index in the check's `options`. */
  readonly option: number;
  readonly key: string;
  /** A value that the key takes. */
  readonly example: string;
}

const ownValues: Readonly<Record<string, OwnValue>> = {
  'uid-altered': { option: 0, key: 'people.uid', example: '{handle}' },
  'zone-assumed': { option: 0, key: 'source.zone', example: 'Europe/Berlin' },
};

/** Returns the option of a check that takes a value of the user; undefined for most checks. */
export const findOwnValue = (code: string): OwnValue | undefined =>
  Object.hasOwn(ownValues, code) ? ownValues[code] : undefined;

/** Settings with which rows that are invalid by a code are no longer so, by code: the remedies that name a key and a value. */
const remedies: Readonly<Record<string, readonly (readonly [key: string, value: string])[]>> = {
  'blank-text': [['messages.empty', 'skip']],
  'older-than': [['messages.old', 'skip']],
  outsider: [['conversations.outsiders', 'group']],
  'text-too-long': [
    ['messages.overlong', 'split'],
    ['messages.overlong', 'truncate'],
  ],
  'unknown-author': [['people.unknownAuthors', 'placeholder']],
};

/** Returns settings by which rows of a code become messages, or are left out by rule; none for most codes. */
export const remediesFor = (code: string): readonly (readonly [key: string, value: string])[] =>
  Object.hasOwn(remedies, code) ? remedies[code]! : [];

/** Returns the options of a check that are settings; none for most checks. */
export const answersTo = (code: string): readonly CheckAnswer[] => (Object.hasOwn(answers, code) ? answers[code]! : []);
