import { readFlag } from '../../../../model/visibility-words.ts';
import type { Reading } from '../../../table-source.ts';
import { aliases, columnsNamed } from '../aliases.ts';
import { namesIn } from '../bound-columns.ts';
import { type ColumnChoice, type ColumnProfile, count, distinct, isFlag, mostly } from '../columns.ts';
import { decide } from '../decision.ts';
import { type Candidate, candidate } from '../evidence.ts';
import { comesAgain, hints, isPlain, mayBeIdentity, otherwise, countTurns, withoutNames } from '../graph/identities.ts';
import { question, showSample } from '../question.ts';
import type { Relations } from '../graph/relations.ts';
import { namesOtherPerson } from '../graph/people.ts';
import { isSystemAlone } from './kind.ts';
import { askForVisitor } from './nobody.ts';
import { lastWord, singular } from '../graph/facts.ts';
import { type Several, severalIn } from './sides.ts';
import { eachType } from './typed-rooms.ts';

const names = aliases.message;
const key = 'messages.author';
/** With fewer rows, it says nothing whether values take turns. */
const tellingRows = 10;

/**
 * Proposes the column that says who wrote a message. A column is certain if its values are ids of the people, or repeat
 * as people's do, and no other column comes close.
 *
 * @returns The column, if it is certain.
 */
export function proposeAuthor(columns: ColumnChoice, relations: Relations): ColumnProfile | undefined {
  const { draft } = columns;
  const isSaid = [key, 'messages.authorName', 'messages.conversation.between'].some(
    (said) => draft.at(said) !== undefined,
  );
  if (isSaid) return undefined;
  const { ranked, certain, margin } = decide(withoutNames(authorCandidates(columns, relations), columns));
  const offered = ranked.filter((one) => !isPlace(one) && mayBeOffered(one, relations));
  const typed = relations.typedSender();
  if (typed && relations.areAllNamed(typed)) {
    for (const { name } of [typed.type, typed.id]) columns.use(name);
    draft.choose(key, { ...typedReading(typed), isRequired: true });
    return undefined;
  }
  const several = severalTables(relations) ?? (certain ? severalIn(columns, certain) : undefined);
  const column = typed || several !== undefined ? undefined : certain;
  const visitor = column && askForVisitor(column, relations);
  const isWhole = column && (column.texts.length === column.rowCount || isSystemAlone(columns, column.name));
  if (column) columns.use(column.name);
  if (column && isWhole && !visitor) {
    draft.choose(key, question.certain(column.name, ranked, margin, showSample(column)));
    return column;
  }
  draft.choose(key, {
    because: typed
      ? `"${typed.type.name}" says which table "${typed.id.name}" is an id of`
      : (several ?? visitor) !== undefined
        ? (several ?? visitor)!.because
        : column
          ? `${showSample(column)}: who wrote the others?`
          : 'no column is for certain who wrote it',
    alternatives: [
      ...(typed ? [typedReading(typed)] : []),
      ...(several?.readings ?? []),
      ...(several !== undefined && certain ? [{ value: certain.name, because: showSample(certain) }] : []),
      ...(visitor?.readings ?? (column ? partlyReadings(column) : [])),
      ...directionsFor(columns),
      ...question.readings(offered.filter((one) => one.value !== (column ?? certain))),
      {
        value: { constant: 'unknown' },
        because: 'if authors need not be distinguished: one author for all',
        isLastResort: true,
      },
    ],
    isRequired: true,
  });
  return undefined;
}

/** No one writes under a time, a text, the id of a message or one name for all: such a column is never on offer, whatever it is called. */
function mayBeOffered({ value: { name, texts }, value }: Candidate<ColumnProfile>, relations: Relations): boolean {
  const facts = relations.columnOf(name);
  if (texts.length === 0) return false;
  const different = distinct(value).length;
  if (facts && (facts.shape === 'time' || facts === relations.key)) return false;
  if (relations.edgeOf(name) !== undefined) return true;
  const isText = facts?.shape === 'text' && different === texts.length;
  return different > 1 && !isText && !(facts?.isUnique && texts.length >= uniqueRows);
}

/** In so many rows a person writes twice. */
const uniqueRows = 5;

/** `agent_id` and `customer_id`, of which each row has one: people of two tables, whose numbers may be the same. */
function severalTables(relations: Relations): Several | undefined {
  const edges = relations.exclusivePeople();
  if (edges.length === 0) return undefined;
  const areLong = edges.every(({ key }) => key.shape === 'long-id');
  const words = edges.map(({ to }) => singular(lastWord(to.name)));
  const areWords = new Set(words).size === words.length;
  const parts = edges.map(({ column: { name }, to }, index) =>
    areLong ? name : { template: `${areWords ? words[index]! : to.name}:{${name}}` },
  );
  const names = edges.map(({ column: { name, profile } }) => `"${name}" in ${count(profile.texts.length)} rows`);
  return {
    because: `each row has one of ${names.join(' and ')}, of people of ${edges.map(({ to }) => `"${to.name}"`).join(' and ')}`,
    readings: [{ value: { first: parts }, because: 'whoever it names wrote the row', isEvident: true }],
  };
}

/** Whether a column is named like one of conversations and its values match no known person. */
const isPlace = ({ evidence }: Candidate<ColumnProfile>): boolean =>
  evidence.includes('namedOtherwise') && !evidence.includes('keysOfPeople') && !evidence.includes('usualName');

const typedReading = ({ type, id }: NonNullable<ReturnType<Relations['typedSender']>>): Reading =>
  eachType({ type: type.profile, id: id.profile }, 'person');

const tellRows = (rows: number) => (rows === 1 ? '1 row names' : `${count(rows)} rows name`);

const partlyReadings = ({ name, texts, rowCount }: ColumnProfile): readonly Reading[] => [
  { value: name, because: `${tellRows(rowCount - texts.length)} no author: "Unknown author"`, isEvident: true },
];

function authorCandidates(columns: ColumnChoice, relations: Relations): readonly Candidate<ColumnProfile>[] {
  const usual = new Set(columnsNamed(columns.names, names.author));
  const recipients = columns.candidates(names.recipient).flatMap((profile) => distinct(profile));
  const reactors = columnsNamed(columns.names, names.reactionUser);
  // The two people of a conversation: one of them wrote.
  const placed = namesIn('messages', 'conversation', columns.draft.at('messages.conversation'));
  // -1 may be the platform, among ids of people.
  const isOfKind = (name: string) => {
    const to = columns.draft.at('messages.kind.from') === name ? relations.edgeOf(name)?.to : undefined;
    return to !== undefined && relations.isPeople(to);
  };
  return columns.names
    .filter((name) => (!columns.isUsed(name) || placed.includes(name) || isOfKind(name)) && !reactors.includes(name))
    .map((name) => columns.profile(name))
    .filter((profile) => relations.edgeOf(profile.name) !== undefined || mayBeIdentity(profile))
    .map((profile) => {
      const { name } = profile;
      const edge = relations.edgeOf(name);
      const isPeople = edge !== undefined && relations.isPeople(edge.to);
      return candidate(profile, {
        keysOfPeople: isPeople && edge.share >= 0.98 && (edge.isNamed || edge.isProven),
        mayBeKeys: isPeople && !edge.isNamed && !edge.isProven,
        partlyKeys: isPeople && edge.share < 0.98,
        comesAgain: comesAgain(profile, 2),
        takesTurns: profile.rowCount >= tellingRows && countTurns(profile) > 0.5,
        meetsRecipients: usual.has(name) && recipients.some((id) => profile.texts.includes(id)),
        usualName: usual.has(name),
        namedSo: hints.author.test(name),
        looksLikePeople: mostly(profile, (text) => person.test(text)),
        otherPerson: namesOtherPerson(name),
        describesMessage: otherwise.test(name) && !(isPeople && edge.isNamed),
        namedOtherwise: hints.conversation.test(name) || (edge !== undefined && !isPeople),
        fewValues: distinct(profile).length < 2,
        partlyFilled: profile.texts.length < profile.rowCount * 0.9,
      });
    })
    .filter(({ points }) => points > -2)
    .filter(({ value }) => isPlain(value));
}

const person = /^\p{Lu}\p{Ll}+(?:[ ,.-]+\p{Lu}\p{Ll}*)*$|^[^\s@]+@[^\s@]+\.\w+$/u;

/** Words for what went out and what came in, whole or as a part of such words as `outbound-api`. */
const outWords =
  /^(?:out|outgoing|sent|send|agent|operator|admin|staff|support|assistant|bot|employee|mt|from_me|ausgehend|gesendet|mitarbeiter)/i;
const inWords =
  /^(?:in$|in[^a-z]|inbound|incoming|received?|customer|client|user|contact|visitor|guest|caller|mo$|to_me|eingehend|empfangen|kunde)/i;

const ourNames = /agent|operator|employee|staff|assignee|assigned|support|bearbeiter|mitarbeiter|owner|our/i;
const theirNames = /handle|cust|client|contact|visitor|guest|caller|phone|number|kunde|lead|patient|their/i;

/** Returns readings of the author for a column that says in or out, combined with the columns of the two people of the conversation. */
function directionsFor(columns: ColumnChoice): readonly Reading[] {
  const people = columns.unused.filter((one) => isPlain(one) && !otherwise.test(one.name)).map(({ name }) => name);
  return columns.unused.flatMap((profile): Reading[] => {
    const sides = splitSides(profile);
    if (!sides) return [];
    const column = (wanted: RegExp) => people.find((name) => name !== profile.name && wanted.test(name));
    const us = isOfMe(profile) ? { constant: 'me' } : (column(ourNames) ?? { constant: 'support' });
    const them = column(theirNames);
    if (them === undefined) return [];
    const shown = `${sides.ours.join(', ')}: ${nameOf(us)}; ${sides.theirs.join(', ')}: ${nameOf(them)}`;
    return [
      {
        value: { direction: profile.name, ...sides, us, them },
        because: `"${profile.name}" says which of the two wrote (${shown}), in ${count(profile.texts.length)} of ${count(profile.rowCount)} rows`,
      },
    ];
  });
}

/** The words of each side, where every word of a column is of one, and nearly every row has it. */
function splitSides(profile: ColumnProfile): { readonly ours: string[]; readonly theirs: string[] } | undefined {
  const words = distinct(profile);
  if (isOfMe(profile)) return { ours: words.filter(readFlag), theirs: words.filter((word) => !readFlag(word)) };
  if (words.length < 2 || words.length > 6 || profile.texts.length < profile.rowCount * 0.9) return undefined;
  const ours = words.filter((word) => outWords.test(word));
  const theirs = words.filter((word) => inWords.test(word) && !outWords.test(word));
  const isWhole = ours.length + theirs.length === words.length && ours.length > 0 && theirs.length > 0;
  return isWhole ? { ours, theirs } : undefined;
}

/** Yes and no of whether the owner of the phone wrote, in every row: `is_from_me`. */
const isOfMe = (profile: ColumnProfile): boolean =>
  /^(?:is_?)?(?:from_?me|mine|outgoing)$/i.test(profile.name) &&
  profile.texts.length === profile.rowCount &&
  distinct(profile).length === 2 &&
  isFlag(profile);

const nameOf = (reading: unknown): string =>
  typeof reading === 'string' ? `"${reading}"` : String((reading as { readonly constant: string }).constant);
