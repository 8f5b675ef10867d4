import type { Reading } from '../../../table-source.ts';
import { splitElements } from '../../bind/lists.ts';
import { valueText } from '../../bind/value.ts';
import { splitWords } from '../../../../model/visibility-words.ts';
import { aliases, columnsNamed } from '../aliases.ts';
import { type ColumnChoice, type ColumnProfile, count, distinct } from '../columns.ts';
import type { Relations } from '../graph/relations.ts';
import { namesOtherPerson } from '../graph/people.ts';

/** Conversations without a room: all people whom a row names. */

const names = aliases.message;

/** All people of a row as a conversation. */
export interface PeopleReading extends Reading {
  /** Columns that name them, but for that of the author. */
  readonly columns: readonly string[];
  /** Whether every row names them, and all are people. */
  readonly isCertain: boolean;
}

/** Author and recipient, the two columns of whom one wrote, or everybody in a list; the likeliest first. */
export function peopleReadings(
  columns: ColumnChoice,
  relations: Relations,
  author: ColumnProfile | undefined,
): readonly PeopleReading[] {
  const said = author?.name ?? columns.draft.at('messages.author');
  const free = columns.unused.filter(({ name }) => name !== said);
  const named = columns.candidates(names.recipient);
  const [likely] = columns.candidates(names.author, ({ name }) => name !== named[0]?.name);
  const sender = typeof said === 'string' ? said : said === undefined ? likely?.name : undefined;
  const recipients = free.filter((one) => isRecipient(one, relations));
  const lists = free.filter((one) => isList(one, relations, sender, columns));
  const ranked = [...named, ...recipients.filter((one) => !named.some(({ name }) => name === one.name))].filter(
    ({ name }) => {
      const edge = relations.edgeOf(name);
      // `recipient_id` of a program may name rooms as well.
      return !(edge && !relations.isPeople(edge.to)) && name !== sender && !lists.some((list) => list.name === name);
    },
  );
  const pairs = sender === undefined ? [] : ranked.map((one) => pairOf(columns, relations, sender, one, author));
  return [
    ...lists.flatMap((list) => listReading(list, sender)),
    ...sidesOf(columns, ranked, sender),
    ...pairs.toSorted((a, b) => Number(b.isCertain) - Number(a.isCertain)),
  ];
}

const isNamedRecipient = (name: string): boolean =>
  columnsNamed([name], names.recipient).length > 0 || splitWords(name).at(-1) === 'to';

/** Whether a column names a person other than the author, who reads along. */
function isRecipient(profile: ColumnProfile, relations: Relations): boolean {
  const { name, texts } = profile;
  const edge = relations.edgeOf(name);
  if (texts.length === 0 || (namesOtherPerson(name) && !isNamedRecipient(name))) return false;
  return edge !== undefined && relations.isPeople(edge.to) && edge.share >= 0.98;
}

function pairOf(
  columns: ColumnChoice,
  relations: Relations,
  sender: string,
  recipient: ColumnProfile,
  author: ColumnProfile | undefined,
): PeopleReading {
  const senders = columns.profile(sender);
  const shared = new Set(senders.texts);
  const known = distinct(recipient).filter((id) => shared.has(id)).length;
  const edge = relations.edgeOf(recipient.name);
  const arePeople = edge !== undefined && relations.isPeople(edge.to) && edge.share >= 0.98;
  const rows = Math.min(senders.texts.length, recipient.texts.length);
  const isWhole = rows === recipient.rowCount;
  const lacking = isWhole ? '' : `; only ${count(rows)} of ${count(recipient.rowCount)} rows name both`;
  return {
    columns: [recipient.name],
    isCertain:
      author !== undefined &&
      isWhole &&
      (arePeople || known === distinct(recipient).length) &&
      !recipient.texts.some((text) => /[;,]/.test(text)),
    value: { between: [sender, recipient.name] },
    because: `"${sender}" and "${recipient.name}"; ${count(known)} of ${count(distinct(recipient).length)} recipients write too${lacking}`,
  };
}

/** Two columns of people, of whom one wrote each message: `user_low` and `user_high`. */
function sidesOf(
  { rows }: ColumnChoice,
  people: readonly ColumnProfile[],
  sender: string | undefined,
): readonly PeopleReading[] {
  if (sender === undefined) return [];
  return people.flatMap((one, index) =>
    people.slice(index + 1).flatMap((other): PeopleReading[] => {
      const isOneOfBoth = rows.every((row) => {
        const [a, b, wrote] = [one.name, other.name, sender].map((name) => valueText(row.get(name)));
        return a !== undefined && b !== undefined && a !== b && (wrote === undefined || wrote === a || wrote === b);
      });
      if (!isOneOfBoth || rows.length < 2) return [];
      const because = `in every row "${sender}" is one of "${one.name}" and "${other.name}"`;
      return [
        {
          columns: [one.name, other.name],
          isCertain: [one, other].every(({ texts, rowCount }) => texts.length === rowCount),
          value: { between: [one.name, other.name] },
          because,
        },
      ];
    }),
  );
}

const separators = [',', ';'] as const;

/** How the people of a cell are separated, if a column holds several: in some row two, and all of them known. */
function separatorOf(profile: ColumnProfile): string | undefined {
  const elements = (separator: string) => profile.values.map((value) => splitElements(value, separator) ?? []);
  return separators.find((separator) => elements(separator).some(({ length }) => length > 1));
}

const listNames =
  'recipients recipientids receivers receiverids participants participantids members memberids touserids tousers to';

function isList(
  profile: ColumnProfile,
  relations: Relations,
  sender: string | undefined,
  columns: ColumnChoice,
): boolean {
  const separator = separatorOf(profile);
  const isNamed = columnsNamed([profile.name], listNames).length > 0;
  if (otherList.test(profile.name) || (namesOtherPerson(profile.name) && !isNamed)) return false;
  if (profile.texts.length === 0 || (separator === undefined && !(isNamed && /s$/.test(profile.name)))) return false;
  const ids = peopleIn(profile, separator ?? ',');
  if (ids.some((id) => id.length > idLengthMax)) return false;
  const senders = new Set(sender === undefined ? [] : columns.profile(sender).texts);
  const known = ids.filter((id) => senders.has(id) || relations.isPersonId(id)).length;
  return known >= ids.length * (isNamed ? 0.5 : 0.98);
}

/** Lists of people who did something with a message. */
const otherList = /read|seen|deliver|like|react|mention|tag|hid|delet|mute|star|pin|block|notif|vote/i;

const idLengthMax = 320;

const peopleIn = ({ values }: ColumnProfile, separator: string): readonly string[] => [
  ...new Set(values.flatMap((value) => (splitElements(value, separator) ?? []).flatMap((id) => valueText(id) ?? []))),
];

function listReading(profile: ColumnProfile, sender: string | undefined): readonly PeopleReading[] {
  const separator = separatorOf(profile) ?? ',';
  if (sender === undefined) return [];
  const list = { list: profile.name, ...(separator !== ',' && { separator }) };
  return [
    {
      columns: [profile.name],
      isCertain: false,
      value: { between: [sender, list] },
      because: `"${sender}" and all ${count(peopleIn(profile, separator).length)} people whom "${profile.name}" names`,
    },
  ];
}
