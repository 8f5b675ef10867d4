import { isEditorDocument } from '../../../kit/text/editor-document.ts';
import type { Row, TableSample } from '../../row.ts';
import { type ColumnProfile, distinct, mostly, namesOf, profileColumn } from '../columns.ts';
import { sniffTime } from '../message/time.ts';
import { splitWords } from '../../../../model/visibility-words.ts';

/** Shape of a column's values. `word`: short, of few kinds; `text`: possibly written by a person. */
export type Shape = 'empty' | 'flag' | 'number' | 'long-id' | 'e-mail' | 'address' | 'time' | 'json' | 'word' | 'text';

/** Facts about a column from the sample. */
export interface ColumnFacts {
  readonly name: string;
  readonly profile: ColumnProfile;
  readonly shape: Shape;
  /** Different values, without empty ones and 0, which mean "none". */
  readonly ids: ReadonlySet<string>;
  /** Whether every row has a value, and no two the same. */
  readonly isUnique: boolean;
  /** Whether nearly every row has a value. */
  readonly isFilled: boolean;
}

/** Facts about a table from the sample. */
export interface TableFacts {
  readonly sample: TableSample;
  /** As people would call it: `chat_messages` of `dump/chat_messages.csv`. */
  readonly name: string;
  readonly columns: readonly ColumnFacts[];
  /** The column by which other tables name its rows. */
  readonly key: ColumnFacts | undefined;
}

export function tableFacts(sample: TableSample, name: string, nulls: readonly string[]): TableFacts {
  // Fields around a list belong to the table around it.
  const own = namesOf(sample.rows).filter((column) => !column.startsWith('$outer.'));
  const columns = own.map((column) => columnFacts(sample.rows, column, nulls));
  return { sample, name, columns, key: declaredKey(sample, columns) ?? findKey(name, columns) };
}

function columnFacts(rows: readonly Row[], name: string, nulls: readonly string[]): ColumnFacts {
  const profile = profileColumn(rows, name, nulls);
  const { texts, rowCount } = profile;
  const different = new Set(texts);
  const ids = new Set([...different].filter((text) => text !== '0'));
  return {
    name,
    profile,
    ids,
    shape: findShape(name, profile),
    isUnique: rowCount > 0 && texts.length === rowCount && different.size === rowCount,
    isFilled: texts.length >= rowCount * 0.98 && rowCount > 0,
  };
}

/** A primary key of one column, whatever it is called and holds. */
function declaredKey({ declared }: TableSample, columns: readonly ColumnFacts[]): ColumnFacts | undefined {
  const [name, ...others] = declared?.primaryKey ?? [];
  return others.length === 0 ? columns.find((column) => column.name === name) : undefined;
}

/** The column whose values are all different, look like ids, and that is named as the table's own. */
function findKey(table: string, columns: readonly ColumnFacts[]): ColumnFacts | undefined {
  const may = columns.filter(({ isUnique, shape }) => isUnique && keyShapes.has(shape));
  const isPlain = ({ name }: ColumnFacts) => /^(?:_?id|uuid|guid|key|pk|\$key)$/i.test(name);
  const words = splitWords(table).map(singular);
  // `conversation_id` of `xf_conversation_master`.
  const isOwn = ({ name }: ColumnFacts) => /id$/i.test(name) && words.some((word) => letters(name) === `${word}id`);
  const ofPeople = ({ name }: ColumnFacts) => /^(?:user|person|member|account|customer)id$/.test(letters(name));
  return (
    may.find(isPlain) ??
    may.find(({ name }) => letters(name) === `${words.join('')}id`) ??
    may.find(isOwn) ??
    (columns.some(({ name }) => personColumns.test(letters(name))) ? may.find(ofPeople) : undefined)
  );
}

const keyShapes: ReadonlySet<Shape> = new Set(['number', 'long-id', 'word', 'time', 'e-mail']);

const longId =
  /^(?:[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|\d{12,}|(?=[^\s]*\d)[\w-]{14,64}|[A-Z]{1,3}[0-9A-Z]{8,})$/i;

function findShape(name: string, profile: ColumnProfile): Shape {
  const { texts } = profile;
  if (texts.length === 0) return 'empty';
  if (texts.every((text) => /^(?:t|f|true|false|yes|no|y|n)$/i.test(text))) return 'flag';
  if (mostly(profile, (text) => text.length <= 320 && /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text))) return 'e-mail';
  if (mostly(profile, (text) => /^(?:[a-z][a-z\d+.-]*:\/\/|\/)\S+$/i.test(text))) return 'address';
  if (mostly(profile, (text) => /^[[{].*[\]}]$/s.test(text)))
    return mostly(profile, isEditorDocument) ? 'text' : 'json';
  // A number of five digits is a day of Excel's as well, and one of ten a second of Unix's.
  const isId = /(?:^|[^a-z])id$|[a-z]Id$/.test(name) && texts.every((text) => /^\d+$/.test(text));
  if (!isId && sniffTime(profile).some(({ format }) => format !== 'excel')) return 'time';
  if (texts.every((text) => /^-?\d{1,11}$/.test(text))) return 'number';
  if (mostly(profile, (text) => longId.test(text))) return 'long-id';
  const isWord = mostly(profile, (text) => text.length <= 40 && !/\s\S+\s/.test(text));
  return isWord && distinct(profile).length <= Math.max(3, texts.length * 0.7)
    ? 'word'
    : isWord && mostly(profile, (text) => /^\S+$/.test(text))
      ? 'word'
      : 'text';
}

/** Letters and digits alone: `user_id` and `userId` are the same. */
export const letters = (name: string): string => name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');

export const lastWord = (name: string): string => splitWords(name).at(-1) ?? '';

/** `users` is user, `categories` category, `boxes` box. Good enough to compare names. */
export const singular = (word: string): string =>
  word
    .replace(/ies$/, 'y')
    .replace(/(ss|x|ch|sh)es$/, '$1')
    .replace(/([^s])s$/, '$1');

/** Columns that only a table of people has. */
export const personColumns =
  /^(?:e?mail|emailaddress|username|login|userlogin|useremail|firstname|lastname|displayname|fullname|nickname|realname|passwordhash|passworddigest|encryptedpassword|password|userpass|phone|phonenumber|avatar|avatarurl|lastlogin|lastloginat|isbot|deliveryemail)$/;

/** `Message`, `App\Models\Message`, `ChatMessage` of `chat_messages`. */
export function isNameOf(word: string, { name }: TableFacts): boolean {
  const own = splitWords(word).map(singular);
  const theirs = splitWords(name).map(singular);
  return own.at(-1) === theirs.at(-1) || letters(own.join('')) === letters(theirs.join(''));
}
