import type { Reading } from '../../../table-source.ts';
import { valueText } from '../../bind/value.ts';
import type { Row } from '../../row.ts';
import { aliases, columnsNamed } from '../aliases.ts';
import { type ColumnChoice, type ColumnProfile, count, distinct } from '../columns.ts';
import { decide } from '../decision.ts';
import { type Candidate, candidate } from '../evidence.ts';
import { lastWord } from '../graph/facts.ts';
import {
  comesAgain,
  determines,
  hints,
  isPlain,
  mayBeIdentity,
  otherwise,
  countTurns,
  withoutNames,
} from '../graph/identities.ts';
import { question, showSample } from '../question.ts';
import type { Relations } from '../graph/relations.ts';

const names = aliases.message;
const key = 'messages.conversation';

/** Proposes which conversation a message belongs to: a column of conversation ids, or the two people of a direct chat. */
export function proposeConversation(
  columns: ColumnChoice,
  relations: Relations,
  author: ColumnProfile | undefined,
): void {
  const { draft } = columns;
  if (draft.at(key) !== undefined) return;
  const pair = findPair(columns, relations, author);
  const isOther = ({ value: { name } }: Candidate<ColumnProfile>) => name !== author?.name && name !== pair?.recipient;
  const { ranked, certain, margin } = decide(
    withoutNames(conversationCandidates(columns, relations), columns).filter(isOther),
  );
  const isWhole = certain !== undefined && certain.texts.length === certain.rowCount;
  const beside = certain && isWhole ? columnsBeside(columns, relations, certain) : [];
  if (certain && isWhole && beside.length === 0 && !relations.isIndirect(certain.name)) {
    columns.use(certain.name);
    const shown = `${showSample(certain)}`;
    draft.choose(key, question.certain(certain.name, ranked, margin, shown));
    // A column whose value changes from row to row is not the name of the conversation.
    const isName = (profile: ColumnProfile) => determines(columns, certain, profile);
    columns.choose('messages.conversationName', columns.candidates(names.conversationName, isName));
    return;
  }
  const isNear = ranked.some(({ points }) => points >= 3);
  if (pair?.isCertain && !isNear) {
    columns.use(pair.recipient);
    draft.choose(key, { value: pair.value, because: pair.because, isRequired: true });
    return;
  }
  draft.choose(key, {
    because: whyOpen(certain, relations, beside),
    alternatives: [
      ...typedReadings(relations),
      ...(isWhole ? [] : complements(columns, certain ?? ranked[0]?.value, ranked)),
      ...(certain && !isWhole ? partlyReadings(certain, pair) : []),
      ...(certain ? [] : offerEither(ranked[0]?.value, pair)),
      ...question.readings(ranked.filter(({ points, value }) => points >= 3 && (value !== certain || isWhole))),
      ...offerBoth(draft.at('messages.author')),
      ...(pair ? [pair, ...pair.alternatives].map(({ value, because }) => ({ value, because })) : []),
      ...question.readings(ranked.filter(({ points, value }) => points < 3 && value !== certain)),
      ...ofFiles(columns),
      ...question.readings(constants(columns)),
      { value: { constant: 'general' }, because: 'if all messages belong to one conversation', isLastResort: true },
    ],
    isRequired: true,
  });
}

function whyOpen(
  certain: ColumnProfile | undefined,
  relations: Relations,
  [beside]: readonly Candidate<ColumnProfile>[],
): string {
  if (!certain) return 'no column clearly names the conversation';
  if (beside) return `"${beside.value.name}" may be the conversation, and "${certain.name}" only a part of it`;
  const target = relations.isIndirect(certain.name);
  return target === undefined
    ? `${showSample(certain)}: where do the others belong?`
    : `"${certain.name}" names a row of "${target}", which only says of what type it is and names another row`;
}

/** `commentable_type` and `commentable_id`: the same number is another conversation in each type. */
const typedReadings = (relations: Relations): readonly Reading[] =>
  relations.typedPlaces().map(({ type, id }) => ({
    value: { template: `{${type.name}}:{${id.name}}` },
    because: `types ${distinct(type.profile).slice(0, 4).join(', ')}: the same number is another conversation in each`,
    isEvident: true,
  }));

/** The likeliest column, and the two people in the rows that lack it. */
const offerEither = (profile: ColumnProfile | undefined, pair: Pair | undefined): readonly Reading[] =>
  profile && pair && profile.texts.length < profile.rowCount ? partlyReadings(profile, pair).slice(0, 1) : [];

/** Columns that are filled in exactly the rows in which another is empty: messages of two tables as one have such. Numbers may be in both. */
function complements(
  { rows }: ColumnChoice,
  own: ColumnProfile | undefined,
  ranked: readonly Candidate<ColumnProfile>[],
): readonly Reading[] {
  if (!own) return [];
  const isIn = (name: string, row: Row) => valueText(row.get(name)) !== undefined;
  const others = ranked.filter(({ value: { name } }) => rows.every((row) => isIn(own.name, row) !== isIn(name, row)));
  return others.map(({ value: other }) => {
    const mayMeet = [...own.texts, ...other.texts].some((text) => text.length <= shortIdMax);
    const apart = ({ name }: ColumnProfile) => ({
      template: `${lastWord(name.replace(/_?id$/i, '')) || 'room'}:{${name}}`,
    });
    return {
      value: { first: mayMeet ? [apart(own), apart(other)] : [own.name, other.name] },
      because: `"${own.name}" in ${count(own.texts.length)} of ${count(own.rowCount)} rows, "${other.name}" in the others`,
    };
  });
}

/** Ids of so few characters may be those of rows in two tables. */
const shortIdMax = 12;

/** Readings for a column that is empty in some rows: such a row belongs to the two people, or to no conversation. */
const partlyReadings = ({ name, texts, rowCount }: ColumnProfile, pair: Pair | undefined): readonly Reading[] => [
  ...(pair
    ? [
        {
          value: { first: [{ template: `${lastWord(name.replace(/_?id$/i, '')) || 'room'}:{${name}}` }, pair.value] },
          because: `"${name}" in ${count(texts.length)} of ${count(rowCount)} rows, else the two people`,
        },
      ]
    : []),
  {
    value: name,
    because: `${rowCount - texts.length === 1 ? '1 row has' : `${count(rowCount - texts.length)} rows have`} none and would be invalid`,
  },
];

function conversationCandidates(columns: ColumnChoice, relations: Relations): readonly Candidate<ColumnProfile>[] {
  const usual = new Set(columnsNamed(columns.names, names.conversation));
  return columns.names
    .filter((name) => !columns.isUsed(name))
    .map((name) => columns.profile(name))
    .filter(
      (profile) =>
        relations.edgeOf(profile.name) !== undefined || (mayBeIdentity(profile) && distinct(profile).length > 2),
    )
    .filter(isPlain)
    .map((profile) => {
      const { name } = profile;
      const edge = relations.edgeOf(name);
      const isPeople = edge !== undefined && relations.isPeople(edge.to);
      const isRoom = edge !== undefined && !isPeople && edge.to !== edge.from;
      return candidate(profile, {
        keysOfRooms: isRoom && edge.share >= 0.98,
        partlyKeys: isRoom && edge.share < 0.98,
        hasMembers: isRoom && relations.hasMembers(edge.to),
        comesAgain: comesAgain(profile, 3),
        goesOn: !isRoom && profile.rowCount >= 10 && countTurns(profile) < 0.5,
        usualName: usual.has(name),
        namedSo: hints.conversation.test(name),
        describesMessage: otherwise.test(name),
        namedOtherwise:
          isPeople || (!isRoom && !usual.has(name) && hints.author.test(name) && !hints.conversation.test(name)),
        partlyFilled: profile.texts.length < profile.rowCount * 0.9,
      });
    })
    .filter(({ points }) => points > -2);
}

/**
 * Returns columns with two values that are named like conversations, next to a column that looks like conversation ids
 * and that no table describes.
 */
function columnsBeside(
  columns: ColumnChoice,
  relations: Relations,
  { name }: ColumnProfile,
): readonly Candidate<ColumnProfile>[] {
  const edge = relations.edgeOf(name);
  if (edge !== undefined && !relations.isPeople(edge.to)) return [];
  return constants(columns).filter(
    ({ value }) =>
      value.name !== name &&
      distinct(value).length === 2 &&
      value.texts.length === value.rowCount &&
      value.texts.some((text) => !/^(?:t|f|true|false|yes|no|y|n|[01])$/i.test(text)),
  );
}

/** Columns that are named as those of conversations and have one value or two: nothing shows that it is one. */
function constants(columns: ColumnChoice): readonly Candidate<ColumnProfile>[] {
  return columnsNamed(columns.names, names.conversation)
    .filter((name) => !columns.isUsed(name))
    .map((name) => columns.profile(name))
    .filter((profile) => profile.texts.length > 0 && distinct(profile).length <= 2 && isPlain(profile))
    .map((profile) => candidate(profile, { usualName: true, fewValues: true }));
}

/** A file for each conversation: the name of the file says which. */
function ofFiles({ rows }: ColumnChoice): readonly Reading[] {
  const paths = [...new Set(rows.map(({ location }) => location.path))];
  if (paths.length < 2) return [];
  return [
    {
      value: { template: '{:file}' },
      because: `if each of the ${count(paths.length)} files is a conversation: ${paths.slice(0, 3).join(', ')}`,
    },
  ];
}

/** The two people of whom a direction says which wrote. */
function offerBoth(author: unknown): readonly Reading[] {
  if (typeof author !== 'object' || author === null || !('us' in author && 'them' in author)) return [];
  return [{ value: { between: [author.us, author.them] }, because: 'the two people, one of whom wrote' }];
}

/** Sender and recipient as the two people of a direct conversation. */
interface Pair extends Reading {
  readonly recipient: string;
  /** Whether every row names both, and both are people. */
  readonly isCertain: boolean;
  readonly alternatives: readonly Reading[];
}

function findPair(columns: ColumnChoice, relations: Relations, author: ColumnProfile | undefined): Pair | undefined {
  const [recipient] = columns.candidates(names.recipient);
  const [likely] = columns.candidates(names.author, ({ name }) => name !== recipient?.name);
  const sender = author?.name ?? columns.draft.at('messages.author') ?? likely?.name;
  if (!recipient || typeof sender !== 'string') return undefined;
  const senders = columns.profile(sender);
  const shared = new Set(senders.texts);
  const known = distinct(recipient).filter((id) => shared.has(id)).length;
  const edge = relations.edgeOf(recipient.name);
  // `recipient_id` of a program may name rooms as well.
  if (edge && !relations.isPeople(edge.to)) return undefined;
  const arePeople = edge !== undefined && relations.isPeople(edge.to) && edge.share >= 0.98;
  const rows = Math.min(senders.texts.length, recipient.texts.length);
  const isWhole = rows === recipient.rowCount;
  const lacking = isWhole ? '' : `; only ${count(rows)} of ${count(recipient.rowCount)} rows name both`;
  return {
    recipient: recipient.name,
    isCertain:
      author !== undefined &&
      isWhole &&
      (arePeople || known === distinct(recipient).length) &&
      !recipient.texts.some((text) => /[;,]/.test(text)),
    value: { between: [sender, recipient.name] },
    because: `"${sender}" and "${recipient.name}"; ${count(known)} of ${count(distinct(recipient).length)} recipients write too${lacking}`,
    alternatives:
      known > 0 || arePeople
        ? []
        : [{ value: recipient.name, because: 'none of the recipients writes: they may be rooms' }],
  };
}
