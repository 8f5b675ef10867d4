import { countOf, formatCount } from '../lib/text/count.ts';
import { type BesideReading, nothingBeside, type ReadingResult } from '../model/reading-result.ts';
import type { Effect } from '../model/option.ts';
import type { About, Decision, DecisionOption } from './decision.ts';

interface Judged {
  /** Whether Chatferry decided what a field means: tables, databases, JSON with a mapping. Else the platform did. */
  readonly isTable: boolean;
  /** `reading.seen` of the mapping: what was shown, by the name of the alarm, when a person said that it is right. `yes` is right whatever it is. */
  readonly seen: Readonly<Record<string, string>>;
}

interface Fired {
  readonly why: string;
  readonly about: About;
  /** Number of what it is about, or names, as `seen` keeps it. */
  readonly shown: string;
  readonly options?: readonly Choice[];
}

type Choice = readonly [does: string, effect: Effect, because?: string];

interface Alarm {
  readonly name: string;
  readonly question: string;
  /** Also where the platform says what a field means. */
  readonly isForPlatforms?: true;
  readonly judge: (result: ReadingResult, beside: BesideReading, isTable: boolean) => Fired | undefined;
  readonly options: readonly Choice[];
}

/** On fewer messages no pattern fires that is not true of all of them. */
const messagesMin = 50;
/** Fewer messages are a trial, of which nothing can be said; an owner of tables tries with three. */
const messagesOfTables = 3;
const messagesOfPlatforms = 5;
/** On fewer conversations nothing is said about what conversations are like. */
const conversationsMin = 4;

const askAuthor: Choice = [
  'Choose another column for who wrote',
  { asks: 'source.messages.author', example: 'sender_id' },
];
const askConversation: Choice = [
  'Choose another column for the conversation',
  { asks: 'source.messages.conversation', example: 'room_id' },
];
const askText: Choice = ['Choose another column for the text', { asks: 'source.messages.text', example: 'body' }];
const askTime: Choice = ['Choose another column for the time', { asks: 'source.messages.time', example: 'created_at' }];
const askPeople: Choice = ['Name the table that holds the people', { asks: 'source.tables.users', example: 'users' }];
const askName: Choice = [
  'Choose another column for the name of a person',
  { asks: 'source.users.name', example: 'full_name' },
];

const outside = { outside: true } as const;
const leaveOut: Choice = ['Leave these messages out', { sets: { 'source.messages.encrypted': 'skip' } }];

/** The twelve, in the order in which they are asked: what makes others fire comes first. */
const alarms: readonly Alarm[] = [
  {
    name: 'one-room',
    question: 'Were all messages written in one conversation?',
    judge({ messages, conversations }, { rooms }) {
      if (conversations.count !== 1 || rooms.length === 0) return undefined;
      const [{ column, table, values }] = rooms as [BesideReading['rooms'][number]];
      const where = table === null ? '' : ` of "${table}", which names messages,`;
      return {
        why: `All ${countOf(messages, 'message')} are in one conversation, and "${column}"${where} was not used: it has ${formatCount(values)} values that come again`,
        ...share(messages, messages, 'messages'),
        options: rooms
          .slice(0, 3)
          .map(
            (room): Choice =>
              room.table === null
                ? [
                    `Take the conversation from "${room.column}"`,
                    { sets: { 'source.messages.conversation': room.column } },
                    `${formatCount(room.values)} values that come again`,
                  ]
                : [
                    `Read the messages joined with "${room.table}"`,
                    { asks: 'source.tables.messages', example: '{ query: "SELECT … JOIN …" }' },
                  ],
          ),
      };
    },
    options: [askConversation],
  },
  {
    name: 'crumbs',
    question: 'Is a conversation really no more than one message?',
    judge({ messages, conversations: { count, oneMessage } }) {
      if (count < conversationsMin || !isShare(oneMessage, count, { from: 0.8, messages })) return undefined;
      return {
        why: `${formatCount(oneMessage)} of ${countOf(count, 'conversation')} have one message`,
        ...share(oneMessage, count, 'conversations'),
      };
    },
    options: [askConversation],
  },
  {
    name: 'monologues',
    question: 'Did really only one person write in a conversation?',
    judge({ messages, conversations: { count, oneMessage, oneWriter } }) {
      const [alone, all] = [oneWriter - oneMessage, count - oneMessage];
      if (all < conversationsMin || !isShare(alone, all, { from: 0.9, messages })) return undefined;
      return {
        why: `In ${formatCount(alone)} of ${countOf(all, 'conversation')} with more than one message only one person wrote`,
        ...share(alone, all, 'conversations'),
      };
    },
    options: [askAuthor, askConversation],
  },
  {
    name: 'one-voice',
    question: 'Did one person really write most of the messages in so many conversations?',
    judge({ messages, conversations: { count, voice } }) {
      if (!voice || count < conversationsMin || !isShare(voice.count, count, { over: 1 / 3, messages }))
        return undefined;
      return {
        why: `"${voice.name}" wrote over 60 % of the messages in ${formatCount(voice.count)} of ${countOf(count, 'conversation')}`,
        ...share(voice.count, count, 'conversations'),
      };
    },
    options: [askAuthor],
  },
  {
    name: 'nobody',
    question: 'Who wrote the messages whose author is nobody that the export describes?',
    isForPlatforms: true,
    judge({ messages, people: { described, unknown, nobody } }, { people }, isTable) {
      // Without a list of people, authors go by the names that messages give them.
      const count = described > 0 || people.length > 0 ? unknown : nobody;
      if (!isShareOfRows(count, messages, { over: 0.02, isTable })) return undefined;
      const byNumber =
        nobody === 0
          ? ''
          : `; ${formatCount(nobody)} of them have 0, -1 or nothing there: a system, a visitor, a deleted person?`;
      const unread = people.length === 0 ? '' : `; nothing reads "${people.join('", "')}"`;
      return {
        why: `${formatCount(count)} of ${countOf(messages, 'message')} name an author whom no list of people has${byNumber}${unread}`,
        ...share(count, messages, 'messages'),
        options: [[`Leave these ${countOf(count, 'message')} out`, { sets: { 'people.unknownAuthors': 'skip' } }]],
      };
    },
    options: [askPeople, askAuthor],
  },
  {
    name: 'two-in-one',
    question: 'Are these one person, or two that became one?',
    isForPlatforms: true,
    judge({ people: { twice, described } }, { shared }) {
      const [first] = shared;
      if (first)
        return {
          why: `${countOf(first.ids.length, 'id')} of authors ${first.ids.length === 1 ? 'is' : 'are'} found in "${first.tables[0]}" and in "${first.tables[1]}"`,
          about: { count: first.ids.length, of: 'people', isExact: false },
          shown: shared.map(({ tables }) => tables.join(' and ')).join(', '),
        };
      if (twice === 0) return undefined;
      return {
        why: `${countOf(twice, 'id')} ${twice === 1 ? 'is' : 'are'} described twice, as two people would be`,
        ...share(twice, described, 'people'),
      };
    },
    options: [askPeople, askAuthor],
  },
  {
    name: 'numbers-for-names',
    question: 'Are these the names of people?',
    isForPlatforms: true,
    judge({ messages, people: { wrote, names } }, { names: unread }, isTable) {
      // A login that is a part of the address is what the application shows, if nothing else is there.
      const local = isTable && unread.length === 0 ? 0 : names.local;
      const count = names.id + names.hash + names.mail + local;
      if (wrote < 2 || !isShare(count, wrote, { over: 0.5, messages })) return undefined;
      const kinds = [
        [names.id, 'go by a number or an id'],
        [names.hash, 'by generated characters'],
        [names.mail + local, 'by a mail address or the part before its @'],
      ] as const;
      const better = unread.length === 0 ? '' : `; nothing reads "${unread.slice(0, 3).join('", "')}"`;
      const words = kinds.filter(([some]) => some > 0).map(([some, what]) => `${formatCount(some)} ${what}`);
      return {
        why: `Of ${formatCount(wrote)} people who wrote, ${words.join(', ')}${better}`,
        ...share(count, wrote, 'people'),
      };
    },
    options: [askName, askPeople],
  },
  {
    name: 'cipher',
    question: 'Are the texts encrypted?',
    isForPlatforms: true,
    judge({ texts: { looked, cipher } }, _, isTable) {
      if (looked < messagesOfTables || !isShareOfRows(cipher, looked, { over: 0.5, isTable })) return undefined;
      return {
        why: `${formatCount(cipher)} of ${countOf(looked, 'text')} look encrypted: no words, no blanks, only base64 or hexadecimal digits`,
        ...share(cipher, looked, 'messages', false),
        options: [
          ...(isTable ? [leaveOut] : []),
          ['Decrypt the texts in the old system and export them again', outside],
        ],
      };
    },
    options: [askText],
  },
  {
    name: 'copies',
    question: 'Was one message sent to several conversations, or is it read several times?',
    isForPlatforms: true,
    judge({ messages, copies: { count, isExact } }, _, isTable) {
      if (!isShareOfRows(count, messages, { over: 0.05, isTable })) return undefined;
      return {
        why: `${isExact ? '' : 'about '}${formatCount(count)} of ${countOf(messages, 'message')} have the text, author and second of another message`,
        ...share(count, messages, 'messages', isExact),
      };
    },
    options: [askConversation],
  },
  {
    name: 'clock',
    question: 'Is this when the messages were sent?',
    isForPlatforms: true,
    judge({ messages, times }) {
      const { firstMs, lastMs, outside: odd, againstIds, ordered } = times;
      if (isShare(odd, messages, { over: 0.001, messages }))
        return {
          why: `${countOf(odd, 'message')} of ${formatCount(messages)} ${odd === 1 ? 'is' : 'are'} from before 1995 or after tomorrow`,
          ...share(odd, messages, 'messages'),
        };
      if (firstMs === lastMs)
        return {
          why: `All ${countOf(messages, 'message')} have one time, ${new Date(firstMs!).toISOString()}`,
          ...share(messages, messages, 'messages'),
        };
      if (ordered < messagesMin || againstIds <= ordered / 4) return undefined;
      return {
        why: `Of ${formatCount(ordered)} messages beside each other, ${formatCount(againstIds)} are later than the next although their numbers are lower`,
        ...share(againstIds, ordered, 'messages', false),
      };
    },
    options: [askTime],
  },
  {
    name: 'rival',
    question: 'Are there messages in these tables too?',
    judge(_, { rivals }) {
      if (rivals.length === 0) return undefined;
      const words = rivals.map(({ table, rows }) => `"${table}"${rows === null ? '' : ` (${countOf(rows, 'row')})`}`);
      return {
        why: `Not read, although with texts, times and people: ${words.join(', ')}`,
        about: sum(rivals.map(({ rows }) => rows)),
        shown: rivals.map(({ table }) => table).join(', '),
        options: rivals
          .slice(0, 3)
          .map(({ table }) => [`Read the messages from "${table}"`, { sets: { 'source.tables.messages': table } }]),
      };
    },
    options: [],
  },
  {
    name: 'split',
    question: 'Do all of these rows belong to the chat?',
    judge({ messages, conversations }, { splits: all, rooms }) {
      // The first of these is asked.
      const isRoom = (column: string) => conversations.count === 1 && rooms.some((room) => room.column === column);
      const splits = all.filter(({ column }) => !isRoom(column));
      if (splits.length === 0) return undefined;
      const words = splits.map(
        ({ column, values, to }) =>
          `"${column}" (${formatCount(values)} values${to === null ? '' : `, rows of "${to}"`})`,
      );
      return {
        why: `Nothing reads ${words.join(', ')}, which sort${splits.length === 1 ? 's' : ''} the rows`,
        about: { count: messages, of: 'messages', isExact: true },
        shown: splits.map(({ column }) => column).join(', '),
        options: splits.slice(0, 3).map(({ column }) => [
          `Choose by "${column}" which rows are read`,
          {
            asks: `source.messages.only.${/[."]/.test(column) ? JSON.stringify(column) : column}`,
            example: '[VALUE]',
          },
        ]),
      };
    },
    options: [],
  },
];

/**
 * The alarms that fire for a reading that no one has confirmed with them shown. Those of tables stop; of what a platform decided only some
 * apply, and they ask.
 */
export function firedAlarms(
  result: ReadingResult,
  beside: BesideReading | undefined,
  { isTable, seen }: Judged,
): readonly Decision[] {
  return alarms.flatMap((alarm): Decision[] => {
    if (!isTable && !alarm.isForPlatforms) return [];
    const fired =
      result.messages >= (isTable ? messagesOfTables : messagesOfPlatforms)
        ? alarm.judge(result, beside ?? nothingBeside, isTable)
        : undefined;
    if (!fired || isSeen(seen[alarm.name], fired.shown)) return [];
    const { why, about, shown, options = [] } = fired;
    // Keys of columns are those of tables.
    const fitting = [...options, ...alarm.options].filter(([, effect]) => isTable || !('asks' in effect));
    const right: Choice = ['Leave it as it is: this is right', { sets: { [`reading.seen.${alarm.name}`]: shown } }];
    return [
      {
        id: `alarm-${alarm.name}`,
        question: alarm.question,
        why,
        about,
        examples: [],
        options: [...fitting, right].map(asOption),
        ifUndecided: isTable ? { stops: true } : { sends: 'everything is sent as it is' },
        answer: null,
      },
    ];
  });
}

const asOption = ([does, effect, because = '']: Choice): DecisionOption => ({
  does,
  effect,
  because,
  isProposed: false,
  isLastResort: false,
});

const share = (count: number, all: number, of: About['of'], isExact = true): Pick<Fired, 'about' | 'shown'> => ({
  about: { count, of, isExact },
  shown: `${count} of ${all}`,
});

function sum(counts: readonly (number | null)[]): About {
  const known = counts.filter((count) => count !== null);
  return {
    count: known.length === 0 ? null : known.reduce((all, count) => all + count, 0),
    of: 'rows',
    isExact: false,
  };
}

/** @param messages Of which there are enough, or it is true of all. */
function isShare(
  count: number,
  all: number,
  { over, from, messages }: { readonly over?: number; readonly from?: number; readonly messages: number },
): boolean {
  if (count === 0 || (messages < messagesMin && count < all)) return false;
  return over === undefined ? count >= all * from! : count > all * over;
}

/** Facts that each row of a table shows by itself count on few messages too: owners try with a few rows. */
function isShareOfRows(
  count: number,
  all: number,
  { over, isTable }: { readonly over: number; readonly isTable: boolean },
): boolean {
  if (!isTable || all >= messagesMin) return isShare(count, all, { over, messages: all });
  return count >= fewMin && count > all * Math.max(over, fewShare);
}

const fewMin = 2;
const fewShare = 0.1;

/** So many times as much as was shown is something else. */
const growthMax = 2;

/** Whether what fires now was shown: a share that has not doubled since, or no other names. */
function isSeen(seen: string | undefined, shown: string): boolean {
  if (seen === undefined || seen === shown || seen === 'yes') return seen !== undefined;
  const [before, now] = [seen, shown].map(readShare);
  if (before !== undefined && now !== undefined) return now <= before * growthMax;
  const names = new Set(seen.split(', '));
  return shown.split(', ').every((name) => names.has(name));
}

function readShare(text: string): number | undefined {
  const [count, all = '1', ...rest] = text.split(' of ').map(Number);
  const share = Number(count) / Number(all);
  return rest.length === 0 && Number.isFinite(share) ? share : undefined;
}
