import type { Reading } from '../../../table-source.ts';
import { countOf } from '../../../../lib/text/count.ts';
import { bindConversation } from '../../bind/conversation.ts';
import { BindingScope, valueText } from '../../bind/value.ts';
import type { Row } from '../../row.ts';
import { messagesSchema } from '../../schema/messages.ts';
import { aliases, columnsNamed } from '../aliases.ts';
import { type ColumnChoice, type ColumnProfile, count, distinct, type Draft, isFlag } from '../columns.ts';
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
import { type PeopleReading, peopleReadings } from './people-rooms.ts';
import { rootReadings, typedReadings } from './typed-rooms.ts';
import { question, showSample } from '../question.ts';
import type { Relations } from '../graph/relations.ts';

const names = aliases.message;
const key = 'messages.conversation';

/** Options beyond these are not read. */
const readingsMax = 8;

/** Proposes which conversation a message belongs to: a column of conversation ids, the people of a row, or a thread. */
export function proposeConversation(
  columns: ColumnChoice,
  relations: Relations,
  author: ColumnProfile | undefined,
  id: ColumnProfile | undefined,
): void {
  const { draft } = columns;
  if (draft.at(key) !== undefined) return;
  const people = peopleReadings(columns, relations, author);
  const [pair] = people;
  const isOther = ({ value: { name }, evidence }: Candidate<ColumnProfile>) =>
    name !== author?.name && (!pair?.columns.includes(name) || evidence.includes('keysOfRooms'));
  const found = decide(withoutNames(conversationCandidates(columns, relations), columns).filter(isOther));
  const { ranked, margin } = found;
  const certain = mayHaveWritten(ranked[0], draft) ? undefined : found.certain;
  const isWhole = certain !== undefined && certain.texts.length === certain.rowCount;
  const beside = certain && isWhole ? columnsBeside(columns, relations, certain) : [];
  if (certain && isWhole && beside.length === 0 && !relations.isIndirect(certain.name)) {
    columns.use(certain.name);
    draft.choose(key, question.certain(certain.name, ranked, margin, showSample(certain)));
    // A column whose value changes from row to row is not the name of the conversation.
    const isName = (profile: ColumnProfile) => determines(columns, certain, profile);
    columns.choose('messages.conversationName', columns.candidates(names.conversationName, isName));
    return;
  }
  const wrote = author?.name ?? draft.at('messages.author');
  const typed = typedReadings(columns, relations, wrote);
  const isAlone = people.filter(({ isCertain }) => isCertain).length === 1 && !ranked.some(({ points }) => points >= 3);
  const isOne =
    certain && pair && ranked[0]!.evidence.includes('keysOfRooms') && isEither(columns, relations, certain, pair);
  const sole = pair?.isCertain && isAlone ? pair : isOne ? partlyReadings(certain, pair)[0] : undefined;
  if (sole && typed.length === 0) {
    for (const name of [certain?.name ?? '', ...pair!.columns]) columns.use(name);
    draft.choose(key, { value: sole.value, because: sole.because, isRequired: true });
    return;
  }
  const best = certain ?? ranked[0]?.value;
  const partly = best && best.texts.length < best.rowCount && (certain ?? pair) ? partlyReadings(best, pair) : [];
  const alternatives: readonly Reading[] = [
    ...typed,
    ...(best ? complements(columns, best, ranked) : []),
    ...partly,
    ...question.readings(ranked.filter(({ points, value }) => points >= 3 && (partly.length === 0 || value !== best))),
    ...offerBoth(draft.at('messages.author')),
    ...people.map(({ value, because }) => ({ value, because })),
    ...recipientsAsRooms(columns, relations, people),
    ...rootReadings(columns, relations, id),
    ...question.readings(ranked.filter(({ points, value }) => points < 3 && (partly.length === 0 || value !== best))),
    ...ofFiles(columns),
    ...question.readings(constants(columns)),
  ];
  draft.choose(key, {
    because: whyOpen(certain, relations, beside),
    alternatives: [
      ...alternatives.slice(0, readingsMax - 1).map((reading) => withResult(reading, columns, wrote)),
      { value: { constant: 'general' }, because: 'if all messages belong to one conversation', isLastResort: true },
    ],
    isRequired: true,
  });
}

/** Whether the column is on offer for who wrote, and nothing shows that it names rooms: ids of people look the same. */
const mayHaveWritten = (one: Candidate<ColumnProfile> | undefined, { findings }: Draft): boolean =>
  one !== undefined &&
  !one.evidence.some((name) => name === 'usualName' || name === 'namedSo' || name === 'hasMembers') &&
  findings.some(
    ({ key, alternatives }) => key === 'messages.author' && alternatives.some(({ value }) => value === one.value.name),
  );

/** A reading with its result: `42 conversations of 2 to 9 people`. */
function withResult(reading: Reading, { rows, nulls }: ColumnChoice, author: unknown): Reading {
  const { data } = messagesSchema.unwrap().shape.conversation.safeParse(reading.value);
  if (data === undefined || rows.length === 0) return reading;
  const scope = new BindingScope(nulls);
  const read = bindConversation(data, scope);
  const people = new Map<string, Set<string>>();
  const wrote = typeof author === 'string' ? scope.text(author) : () => undefined;
  for (const row of rows) {
    const found = read(row);
    if (!found) continue;
    const of = people.get(found.id) ?? new Set();
    people.set(found.id, of);
    for (const id of [...(found.between ?? []), wrote(row)]) if (id !== undefined) of.add(id);
  }
  const sizes = [...people.values()].map(({ size }) => size);
  const [least, most] = [Math.min(...sizes), Math.max(...sizes)];
  const of = most > 0 ? ` of ${least === most ? '' : `${count(least)} to `}${countOf(most, 'person', 'people')}` : '';
  return { ...reading, because: `${reading.because}; ${countOf(people.size, 'conversation')}${of}` };
}

/** Recipients of whom none writes may be rooms. */
const recipientsAsRooms = (
  columns: ColumnChoice,
  relations: Relations,
  people: readonly PeopleReading[],
): readonly Reading[] =>
  people.flatMap(({ value, columns: [name, ...others], isCertain }) => {
    const [sender, recipient] = (value as { readonly between: readonly unknown[] }).between;
    if (isCertain || others.length > 0 || recipient !== name || typeof sender !== 'string' || relations.edgeOf(name!))
      return [];
    const senders = new Set(columns.profile(sender).texts);
    return columns.profile(name!).texts.some((id) => senders.has(id))
      ? []
      : [{ value: name!, because: 'none of the recipients writes: they may be rooms' }];
  });

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

/** Whether each row has a conversation or a person to whom it was written, and never both. */
function isEither({ rows }: ColumnChoice, relations: Relations, room: ColumnProfile, pair: PeopleReading): boolean {
  const [to, ...more] = pair.columns;
  const edge = relations.edgeOf(to!);
  const has = (row: Row, name: string) => !['', '0'].includes(valueText(row.get(name))?.trim() ?? '');
  const arePeople = more.length === 0 && edge !== undefined && relations.isPeople(edge.to) && edge.share >= 0.98;
  return arePeople && rows.every((row) => has(row, room.name) !== has(row, to!));
}

/** Columns that are filled in exactly the rows in which another is empty: messages of two tables as one have such. Numbers may be in both. */
function complements(
  { rows }: ColumnChoice,
  own: ColumnProfile,
  ranked: readonly Candidate<ColumnProfile>[],
): readonly Reading[] {
  const isIn = (name: string, row: Row) => valueText(row.get(name)) !== undefined;
  const others = ranked.filter(({ value: { name } }) => rows.every((row) => isIn(own.name, row) !== isIn(name, row)));
  return others.map(({ value: other }) => {
    const mayMeet = [...own.texts, ...other.texts].some((text) => text.length <= shortIdMax);
    return {
      value: { first: mayMeet ? [apart(own), apart(other)] : [own.name, other.name] },
      because: `"${own.name}" in ${count(own.texts.length)} of ${count(own.rowCount)} rows, "${other.name}" in the others`,
    };
  });
}

/** An id behind the word of its column. */
const apart = ({ name }: Pick<ColumnProfile, 'name'>) => ({
  template: `${lastWord(name.replace(/_?id$/i, '')) || 'room'}:{${name}}`,
});

/** Ids of so few characters may be those of rows in two tables. */
const shortIdMax = 12;

/** Readings for a column that is empty in some rows: such a row belongs to the two people, or to no conversation. */
const partlyReadings = (
  { name, texts, rowCount }: ColumnProfile,
  pair: PeopleReading | undefined,
): readonly Reading[] => [
  ...(pair
    ? [
        {
          value: { first: [apart({ name }), pair.value] },
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
  const isOther = ({ name }: ColumnProfile) => name !== relations.key?.name;
  const mayBe = (profile: ColumnProfile) =>
    relations.edgeOf(profile.name) !== undefined || (mayBeIdentity(profile) && distinct(profile).length > 2);
  return columns.unused
    .filter((profile) => isOther(profile) && mayBe(profile) && isPlain(profile))
    .map((profile) => {
      const { name } = profile;
      const edge = relations.edgeOf(name);
      const isPeople = edge !== undefined && relations.isPeople(edge.to);
      const isRoom = edge !== undefined && !isPeople && edge.to !== edge.from;
      return candidate(profile, {
        keysOfRooms: isRoom && edge.share >= 0.98,
        partlyKeys: isRoom && edge.share < 0.98,
        hasMembers: relations.hasMembers(name),
        comesAgain: comesAgain(profile, 3),
        goesOn: !isRoom && profile.rowCount >= 10 && countTurns(profile) < 0.5,
        usualName: usual.has(name),
        namedSo: hints.conversation.test(name),
        describesMessage: otherwise.test(name),
        fewValues: distinct(profile).length < 2,
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
      value.name !== name && distinct(value).length === 2 && value.texts.length === value.rowCount && !isFlag(value),
  );
}

/** Columns that are named as those of conversations and have one value or two: nothing shows that it is one. */
function constants(columns: ColumnChoice): readonly Candidate<ColumnProfile>[] {
  return columns
    .candidates(names.conversation, (profile) => distinct(profile).length <= 2 && isPlain(profile))
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
  if ('direction' in author && author.us === author.direction) return [];
  return [{ value: { between: [author.us, author.them] }, because: 'the two people, one of whom wrote' }];
}
