import { asks, outside, runs, sets } from '../../model/option.ts';
import { countOf, formatCount } from '../../lib/text/count.ts';
import type { Store } from '../../store/open.ts';
import type { OddRow } from '../../store/totals.ts';
import { printPlace } from '../../lib/text/location.ts';
import { decisionCheck, noteCheck, type WholeCheck } from './check.ts';

export const wholeChecks: readonly WholeCheck[] = [
  decisionCheck({
    code: 'author-not-described',
    title: 'Unknown authors',
    explanation:
      'The author is not described in any file of the export. They become a user with the name in their messages, or with their id.',
    about: 'person',
    question: 'What should become of messages of people whom no file of the export describes?',
    options: [
      sets('Create a user for each of these people', { 'people.unknownAuthors': 'placeholder' }),
      runs('Write a table of the people, to fill in the ids that your app has', 'people'),
      sets('Leave {count} out', { 'people.unknownAuthors': 'skip' }),
      sets('Count {count} as invalid', { 'people.unknownAuthors': 'reject' }),
      outside('Export the people too'),
    ],
    otherwise: 'they become users with the name that their messages give, or their id',
    find: findings(
      'undescribedAuthors',
      ({ name, count }) => `shown as "${name}", who wrote ${countOf(count, 'message')}`,
    ),
  }),
  decisionCheck({
    code: 'conversation-not-described',
    title: 'Unknown conversations',
    explanation:
      'The conversation has messages, and no file of the export describes it: it becomes a private group named by its id.',
    about: 'conversation',
    question: 'What are these conversations, which no file of the export describes?',
    options: [
      asks('Name the conversations', 'conversations.rename', '{ C1: General }'),
      asks('Leave conversations out', 'conversations.exclude', '[C1, C2]'),
      outside('Export the list of conversations too'),
    ],
    otherwise: 'each becomes a private group named by its id',
    find: findings(
      'undescribedConversations',
      ({ name, count }) => `a private group called "${name}", with ${countOf(count, 'message')}`,
    ),
  }),
  noteCheck({
    code: 'orphan-reply',
    title: 'Replies whose root is missing',
    explanation:
      'The export does not have the message in whose thread this reply belongs: it was deleted, or it belongs to an export of another time.',
    remedy: 'Export from an earlier date, or accept that the reply is sent by itself.',
    find: findings('repliesWithoutRoot', () => 'no root'),
  }),
  noteCheck({
    code: 'reply-to-unsent',
    title: 'Replies whose root is not sent',
    explanation: 'The root of the thread is in the export, and is skipped or invalid: the reply is sent by itself.',
    remedy: 'Check why the root is left out: a rule of the mapping, or an invalid row.',
    find: findings(
      'repliesToUnsent',
      ({ verdict, reason }) => `the root is ${verdict}${reason === null ? '' : `: ${reason}`}`,
    ),
  }),
  noteCheck({
    code: 'link-to-unsent',
    title: 'Links to messages that are not sent',
    explanation:
      'An address in a text leads to a message of the old system that is skipped, invalid or not in the export: the key that metadata has for it leads nowhere.',
    remedy:
      'Nothing, or check why the message is left out: a rule of the mapping, an invalid row, or an export of another time.',
    isAbsent: ({ hasOldLinks }) => !hasOldLinks,
    find: findings(
      'linksToUnsent',
      ({ url, verdict }) => `${url}: ${verdict === null ? 'not in the export' : `the message is ${verdict}`}`,
    ),
  }),
  noteCheck({
    code: 'nested-reply',
    title: 'Replies to replies',
    explanation: 'The root of the thread is itself a reply. Most systems have threads of one level.',
    remedy: 'Nothing: metadata keeps the link as it is.',
    find: findings('repliesToReplies', () => 'the root is a reply'),
  }),
  noteCheck({
    code: 'reply-before-root',
    title: 'Replies older than their root',
    explanation: 'The reply was sent before the message that it answers: one of the times is wrong.',
    remedy: 'Check the time format and the zone of the source.',
    find: findings('repliesBeforeRoot', ({ seconds }) => `${formatCount(seconds)} s before the root`),
  }),
  noteCheck({
    code: 'same-second',
    title: 'Messages of one second',
    explanation:
      'The service keeps whole seconds. Messages of one second stay in order by being sent in order; a client that sorts by time alone may show them otherwise.',
    remedy: 'Nothing.',
    find: findings(
      'messagesOfOneSecond',
      ({ count }) => `${formatCount(count)} messages share their second with another`,
    ),
  }),
  noteCheck({
    code: 'same-content',
    title: 'The same message under two ids',
    explanation:
      'Two messages of one conversation have the same author, time and content, and different ids: an export that holds each twice.',
    remedy:
      'Compare the examples. If the export holds messages twice, leave one of the copies out of it; if the author wrote twice, there is nothing to do.',
    find: findings('copiesOfMessages', ({ first }) => `the same as ${first}`),
  }),
  noteCheck({
    code: 'conversation-created-late',
    title: 'Conversations that are younger than their messages',
    explanation:
      'The conversation has messages from before it was created: the channel was merged or renamed, or a time is wrong.',
    remedy: 'Nothing: the service takes messages of any time.',
    find: findings(
      'conversationsYoungerThanMessages',
      ({ days }) => `the first message is ${formatCount(days)} days older`,
    ),
  }),
  decisionCheck({
    code: 'uid-with-hash',
    title: 'People who got a uid with a hash, because another has theirs',
    explanation:
      'The mapping makes the same uid of several people: one keeps it, and the others have a hash of their id behind it (people.collisions: hash). If your app knows its users by other ids, they would not find their messages.',
    about: 'person',
    question: 'By which ids does your app know people who would have the same id?',
    options: [
      runs('Write a table of the people, to fill in the ids that your app has', 'people'),
      asks('Give people ids of their own', 'people.uids', '{ U1: ada }'),
      asks('Join the accounts of one person', 'people.merge', '[[U1, U2]]'),
      sets('Keep the hash behind the ids of all but one', { 'people.collisions': 'hash' }),
    ],
    otherwise: 'one keeps the uid, and the others have a hash of their id behind it',
    find: findings(
      'peopleWithHashes',
      ({ name, uid, other }) => `${name} becomes "${uid}", because the uid without the hash is that of "${other}"`,
    ),
  }),
  noteCheck({
    code: 'same-name-people',
    title: 'People with the same name',
    explanation: 'Two people have the same name. At the destination, only the picture and the uid distinguish them.',
    remedy: 'Rename one of them, or merge them if they are the same person.',
    find: findings('peopleOfOneName', ({ name, count }) => `${name}, ${formatCount(count)} times`),
  }),
  decisionCheck({
    code: 'same-email-people',
    title: 'People with the same e-mail address',
    explanation:
      'Two accounts of the export have the same address. They are probably one person, whose messages would be split between two users.',
    about: 'person',
    question: 'Are these accounts, which have one e-mail address, one person?',
    options: [asks('Join the accounts of one person', 'people.merge', '[[U1, U2]]')],
    otherwise: 'they remain different users, each with their own messages',
    find: findings('peopleOfOneAddress', ({ names, count }) => `${formatNames(names, count)} share an address`),
  }),
  noteCheck({
    code: 'same-name-conversations',
    title: 'Groups with the same name',
    explanation: 'Two groups would have one name at the destination.',
    remedy: 'Rename one of them in the mapping, or merge them.',
    find: findings('groupsOfOneName', ({ name, count }) => `${name}, ${formatCount(count)} times`),
  }),
  noteCheck({
    code: 'empty-conversation',
    title: 'Conversations without messages',
    explanation: 'Nothing is sent for the conversation, so it does not come into being at the destination.',
    remedy: 'Create it there yourself if you need it.',
    isAboutAbsence: true,
    find: findings('emptyConversations', ({ name }) => name),
  }),
  decisionCheck({
    code: 'third-writer',
    title: 'Direct conversations in which a third writes',
    explanation:
      'A third person wrote in a direct conversation (bots do). The whole conversation becomes a group, or the messages of the third person are invalid.',
    about: 'conversation',
    question: 'What should become of a conversation of two in which a third wrote?',
    options: [
      sets('Make a group of it', { 'conversations.outsiders': 'group' }),
      sets('Leave out what bots wrote', { 'people.bots': 'skip' }),
      sets('Count what the third wrote as invalid', { 'conversations.outsiders': 'reject' }),
    ],
    otherwise: 'each becomes a group, unless the mapping sets conversations.outsiders: reject',
    find: findings('directConversationsOfThree', thirdWriter),
  }),
  decisionCheck({
    code: 'members-not-listed',
    title: 'Groups whose members the export does not list',
    explanation:
      'Only members see a group and its history. The export says who wrote in these groups, and not who is in them: some may have left.',
    about: 'conversation',
    question: 'Are the people who wrote in a group still its members, if the export lists no members?',
    options: [
      sets('Make those who wrote in a group its members', { 'conversations.members': 'writers' }),
      sets('Give these groups no members', { 'conversations.members': 'none' }),
      outside('Export the members too'),
    ],
    otherwise: 'these groups have no members, so that no one sees them, until that is decided',
    keepsBack: true,
    peopleCome: 'import',
    find: findings(
      'groupsWithoutList',
      ({ people, count, first }) =>
        `${countOf(people, 'person', 'people')} wrote ${countOf(count, 'message')}, for example ${first}`,
    ),
  }),
  noteCheck({
    code: 'writer-not-member',
    title: 'Writers who are not members',
    explanation: 'An author in the conversation is not one of its members: they left, or were removed.',
    remedy: 'Nothing: their messages are sent; remove them there afterwards if they may not read it.',
    peopleCome: 'with-messages',
    find: findings(
      'writersWhoAreNoMembers',
      ({ count, first }) => `${formatCount(count)} people, for example ${first}`,
    ),
  }),
  decisionCheck({
    code: 'former-member',
    title: 'Messages of people who are no members of their group',
    explanation:
      'The author left the group or was removed, or never was a member, as bots are. Members are imported before the messages, and the service may refuse messages of people who are none.',
    about: 'message',
    question: 'What should become of messages whose authors are no members of the group?',
    options: [
      {
        ...sets('Send {count}, with their authors as members for the time of the import', { 'people.former': 'join' }),
        because: 'they are removed once the messages are verified, and the group may show a line about each',
      },
      sets('Leave {count} out', { 'people.former': 'leave-out' }),
    ],
    otherwise:
      'they are sent without that; if the service refuses one, it waits with what follows in its conversation until this is decided',
    peopleCome: 'import',
    find: findings('messagesOfFormerMembers', ({ person, group }) => `"${person}" is no member of "${group}"`),
  }),
  noteCheck({
    code: 'member-not-described',
    title: 'Unknown members',
    explanation: 'The conversation names members that no file of the export describes.',
    remedy: 'Export the people too.',
    find: findings(
      'undescribedMembers',
      ({ count, all, first }) => `${formatCount(count)} of ${formatCount(all)}, the first is "${first}"`,
    ),
  }),
  noteCheck({
    code: 'silent-members',
    title: 'Members who never wrote',
    explanation:
      'The service has no operation here that adds members: the group may stay invisible to people who never wrote in it.',
    remedy: 'Add them at the destination after the move.',
    peopleCome: 'with-messages',
    find: findings('membersWhoNeverWrote', ({ count }) => `${countOf(count, 'member')}`),
  }),
  noteCheck({
    code: 'history-cut',
    title: 'Conversations whose beginning is missing',
    explanation:
      'The first message is more than 30 days younger than the conversation. Plans without full history, and exports that begin at a later date, leave out earlier messages.',
    remedy: 'Export the whole history, if the plan of the old system allows it.',
    isAboutAbsence: true,
    find: findings(
      'conversationsOlderThanMessages',
      ({ days }) => `${formatCount(days)} days between its creation and its first message`,
    ),
  }),
  noteCheck({
    code: 'months-without-messages',
    title: 'Months without a message',
    explanation:
      'There is a month without messages between two months with messages: a part of the export may be missing.',
    remedy: 'Compare with the old system, or with the list of the files of the export.',
    isAboutAbsence: true,
    find: findings('monthsBeforeEmptyOnes', ({ next }) => `nothing until ${next}`),
  }),
  decisionCheck({
    code: 'id-gap',
    title: 'Missing numbers of messages',
    explanation:
      'The source numbers its messages one by one (consecutiveIds), and some numbers are missing: rows that were deleted, rows that could not be read, or a part of the export that is not there.',
    about: 'nothing',
    question: 'Does the old system skip numbers, or are messages missing?',
    options: [
      sets('Take it that the old system skips numbers', { 'source.consecutiveIds': 'no' }),
      outside('Export again, if messages are missing'),
    ],
    otherwise: 'messages in the export are sent; missing messages stay missing',
    find: findings('missingNumbers', missingIds),
  }),
  decisionCheck({
    code: 'version-undecided',
    title: 'Messages that two exports have otherwise',
    explanation:
      'Two files hold the message, and not in the same state: a reaction, a pin or the text differs. Neither says when it was changed or exported, and no edit, reply or later message of the conversation shows which export is later.',
    about: 'message',
    question: 'Which export was made last?',
    options: [runs('Plan again, and name the export last that was made last', 'plan OLDER NEWER')],
    otherwise: 'the version of the export that is named last is sent',
    isAbsent: () => true,
    find: findings('undecidedVersions', ({ kept }) => `the version in ${kept} counts`),
  }),
  noteCheck({
    code: 'export-gap',
    title: 'Time between two exports that neither holds',
    explanation:
      'With exportScope: window, an export of the last days or weeks should begin before the previous export ends. This one begins later: messages written in between may be missing.',
    remedy: 'Plan an export that covers the time between. Let exports overlap from now on: more days, or more often.',
    find: findings('timesInNoExport', ({ after, before }) => `nothing between ${after} and ${before}`),
  }),
  decisionCheck({
    code: 'only-matches-nothing',
    title: 'Names in --only that nothing has',
    explanation:
      'No person and no conversation of the export is called as --only says: most likely the name is misspelt.',
    about: 'nothing',
    question: 'Whom or what did you mean?',
    options: [runs('Plan again, with the name as the export has it', 'plan EXPORT --only NAME')],
    otherwise: 'it finds no message, and the exit code is 3',
    find: () => [],
  }),
  noteCheck({
    code: 'nothing-to-send',
    title: 'Nothing to send',
    explanation: 'Not one message of the export would be sent.',
    remedy: 'Check the rules that skip messages, and the invalid rows.',
    find: findings('noMessagePlanned', ({ count }) => `${formatCount(count)} rows were read`),
  }),
];

/** Returns the findings of a query, in words. The query runs when the first finding is read. */
function findings<Name extends Parameters<Store['totals']['odd']['rows']>[0]>(
  name: Name,
  words: (row: OddRow<Name>) => string,
) {
  return function* (store: Store): ReturnType<WholeCheck['find']> {
    for (const row of store.totals.odd.rows(name) as Iterable<OddRow<Name>>)
      yield () => ({
        reason: words(row),
        place: printPlace(row.path, row.place),
        ...(row.ids !== undefined && { about: JSON.parse(row.ids) as readonly string[] }),
      });
  };
}

/** `u7 and User Number 39; Bot 3 wrote 12 of 40`. */
function thirdWriter({ a, b, third, wrote, all, others }: OddRow<'directConversationsOfThree'>): string {
  const besides = others > 0 ? `, and ${countOf(others, 'other')} wrote too` : '';
  return `${a} and ${b}; ${third} wrote ${formatCount(wrote)} of ${formatCount(all)}${besides}`;
}

const namedMax = 3;

/** `Ada and Ada L.`, `Ada, Ada L., Ben and 2 more`. @param names JSON. */
function formatNames(names: string, count: number): string {
  const named = (JSON.parse(names) as string[]).slice(0, namedMax);
  const last = count > named.length ? `${formatCount(count - named.length)} more` : named.pop()!;
  return `${named.join(', ')} and ${last}`;
}

function missingIds(row: OddRow<'missingNumbers'>): string {
  if (row.before === null) return `${formatCount(BigInt(row.count))} ids are no whole numbers, for example ${row.id}`;
  const { before, id, conversation, count } = row;
  const inside = conversation === null ? '' : ` in ${conversation}`;
  return `between ${before} and ${id}${inside}: ${count === '1' ? '1 message' : `${formatCount(BigInt(count))} messages`}`;
}
