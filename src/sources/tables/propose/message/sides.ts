import { readFlag } from '../../../../model/visibility-words.ts';
import type { Reading } from '../../../table-source.ts';
import { valueText } from '../../bind/value.ts';
import type { Row } from '../../row.ts';
import { type ColumnChoice, type ColumnProfile, count, distinct } from '../columns.ts';
import { comesAgain, determines, hints, isPlain, mayBeIdentity, otherwise, countTurns } from '../graph/identities.ts';
import { showSample } from '../question.ts';
import { sniffTime } from './time.ts';
import { namesOtherPerson } from '../graph/people.ts';

/** Why one value of the author's column may be several people, and how to distinguish them. */
export interface Several {
  readonly because: string;
  readonly readings: readonly Reading[];
}

/** With fewer rows, it says nothing whether values take turns. */
const tellingRows = 10;

/** Words that say which side wrote, and not who. */
const sideWords =
  /^(?:me|them|self|you|other|us|in|out|inbound|outbound|incoming|outgoing|agent|customer|client|user|assistant|bot|support|staff|visitor|guest|system|ich|du|kunde|mitarbeiter)$/i;

/**
 * Returns a finding if the column shows a side, or occurs with both values of a column that does, or in some rows with
 * the name of another person.
 */
export function severalIn(columns: ColumnChoice, author: ColumnProfile): Several | undefined {
  const values = distinct(author);
  if (values.length <= 4 && values.some((value) => sideWords.test(value)))
    return { because: `"${author.name}" is ${values.join(', ')}: that says a side, and not who`, readings: [] };
  const others = columns.unused.filter(({ name }) => name !== author.name && !name.startsWith('$outer.'));
  const side = others.find((other) => isSide(other) && !determines(columns, author, other));
  if (side) {
    // It says who wrote, and not who may read.
    columns.use(side.name);
    const because = `the same "${author.name}" occurs with several values of "${side.name}" (${distinct(side).join(', ')}): are they one person?`;
    const readings = [{ value: { template: `{${side.name}}:{${author.name}}` }, because: 'no: one for each of both' }];
    return { because, readings };
  }
  const isStill = isOfPlace(columns, author) || (author.rowCount >= tellingRows && countTurns(author) < 0.3);
  const writer = isStill ? others.find((other) => takesTurns(columns, other)) : undefined;
  if (writer)
    return {
      because: `"${author.name}" is the same in row after row, and "${writer.name}" is not: who wrote them?`,
      readings: [{ value: writer.name, because: showSample(writer) }],
    };
  // `from.name` is a name of `from.$id`.
  const parent = /^.+\./.exec(author.name)?.[0];
  const isOwn = ({ name }: ColumnProfile) => parent !== undefined && name.startsWith(parent);
  const guest = others.find((other) => !isOwn(other) && isGuest(columns, author, other));
  if (!guest) return undefined;
  return {
    because: `"${guest.name}" names a person in ${count(guest.texts.length)} of ${count(guest.rowCount)} rows that also have "${author.name}": who wrote these?`,
    readings: [{ value: { first: [guest.name, author.name] }, because: showSample(guest) }],
  };
}

/** A column of two to four words for sides, or of yes and no: `sender_kind`, `is_agent`. Who may read, as `agent_only` says, is no side. */
function isSide(profile: ColumnProfile): boolean {
  const { name, texts, rowCount } = profile;
  const isNamed =
    /agent|staff|customer|admin|bot|role|side|operator/i.test(name) &&
    !/only|visib|note|intern|whisper|facing|hid|show/i.test(name);
  const values = distinct(profile);
  const areSides = values.every((value) => sideWords.test(value) || readFlag(value) !== undefined);
  return isNamed && areSides && values.length >= 2 && values.length <= 4 && texts.length === rowCount;
}

/** Columns that may be those of conversations of several rows. */
const findPlaces = (columns: ColumnChoice): readonly ColumnProfile[] =>
  columns.unused
    .filter(({ name }) => hints.conversation.test(name))
    .filter((profile) => comesAgain(profile, 3) && profile.texts.length === profile.rowCount);

/** Whether each conversation has one value: an owner, a customer, and not who wrote. */
const isOfPlace = (columns: ColumnChoice, profile: ColumnProfile): boolean =>
  findPlaces(columns).some((place) => place.name !== profile.name && determines(columns, place, profile));

/** Whether it is named like people, in every row, and another from row to row. */
const takesTurns = (columns: ColumnChoice, profile: ColumnProfile): boolean =>
  hints.author.test(profile.name) &&
  !namesOtherPerson(profile.name) &&
  !otherwise.test(profile.name) &&
  mayBeIdentity(profile) &&
  isPlain(profile) &&
  comesAgain(profile, 2) &&
  countTurns(profile) > 0.5 &&
  !isOfPlace(columns, profile);

/** Whether as many rows have an emoji: it says who reacted. */
const standsBesideEmoji = (columns: ColumnChoice, { texts }: ColumnProfile): boolean =>
  columns.names
    .map((name) => columns.profile(name).texts)
    .some((others) => others.length === texts.length && others.every((text) => emojiAlone.test(text)));

/** Whether exactly these rows have another time: it says who did then what the time is of. */
const standsBesideTime = (columns: ColumnChoice, { name: own, texts }: ColumnProfile): boolean =>
  columns.names
    .map((name) => columns.profile(name))
    .filter((other) => other.name !== own && other.texts.length === texts.length && sniffTime(other).length > 0)
    .some(({ name }) => columns.rows.every((row) => isIn(row, own) === isIn(row, name)));

const isIn = (row: Row, name: string): boolean => valueText(row.get(name)) !== undefined;

const emojiAlone =
  /^(?:\p{Extended_Pictographic}[\p{Emoji_Component}\p{Extended_Pictographic}]{0,12}|:[\w+-]{1,40}:)$/u;

/** A column that is named as one of people and is filled in some rows: neither of the author nor of the conversation. */
function isGuest(columns: ColumnChoice, author: ColumnProfile, profile: ColumnProfile): boolean {
  const { name, texts, rowCount } = profile;
  const isNamed =
    (hints.author.test(name) || /guest|visitor|anonym|alias/i.test(name)) &&
    !namesOtherPerson(name) &&
    !otherwise.test(name) &&
    !hints.conversation.test(name) &&
    !/note|comment|text|messag|body/i.test(name);
  if (!isNamed || texts.length === 0 || texts.length >= rowCount || !isPlain(profile)) return false;
  if (sniffTime(profile).length > 0 || standsBesideEmoji(columns, profile) || standsBesideTime(columns, profile))
    return false;
  const conversation = columns.draft.at('messages.conversation');
  const isOf = (other: ColumnProfile) => determines(columns, other, profile);
  return !isOf(author) && !(typeof conversation === 'string' && isOf(columns.profile(conversation)));
}
