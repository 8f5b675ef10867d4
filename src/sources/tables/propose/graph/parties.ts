import { splitWords } from '../../../../model/visibility-words.ts';
import { distinct } from '../columns.ts';
import { valueText } from '../../bind/value.ts';
import { type ColumnFacts, isNameOf, letters, singular, type TableFacts } from './facts.ts';
import { countPersonColumns, namesPerson } from './people.ts';

/** A type and an id, as Rails and Laravel write who or what a row belongs to: `sender_type`, `sender_id`; or `party` and `user_no`. */
export interface TypedReference {
  readonly type: ColumnFacts;
  readonly id: ColumnFacts;
  /** Their common name: `sender`. */
  readonly name: string;
}

/** One that names people, with the tables that are names of its types. */
export interface TypedPeople extends TypedReference {
  readonly tables: readonly TableFacts[];
}

/** Pairs of a type and an id with the same beginning. */
export function typedReferences({ columns }: TableFacts): readonly TypedReference[] {
  return columns.flatMap((type): TypedReference[] => {
    const name = /^(.+?)[_.]?(?:type|kind|class|model)$/i.exec(type.name)?.[1];
    if (name === undefined || type.shape === 'empty') return [];
    const id = columns.find((column) => letters(column.name) === `${letters(name)}id`);
    return id ? [{ type, id, name }] : [];
  });
}

/** Values of a column that says whose id another column holds. */
const typesMax = 8;
const typeLengthMax = 80;

const typeNames = /^(?:type|kind|class|model|role|party|side|origin|source|direction)$/;

/**
 * The type and the id by which rows name people of several tables, whatever the two are called: the words of the type are names of those tables,
 * or the same id comes with several of them, or is in no single table.
 *
 * @param people Tables that hold people, as far as names and keys show it.
 */
export function findTypedPeople(
  from: TableFacts,
  tables: readonly TableFacts[],
  people: readonly TableFacts[],
): TypedPeople | undefined {
  const pairs = listPairs(from, tables).map((pair) => {
    const named = distinct(pair.type.profile).flatMap((word) => tableNamed(word, tables) ?? []);
    return { ...pair, tables: [...new Set(named)].filter((table) => table !== from) };
  });
  const isPerson = ({ id, name }: TypedReference) => namesPerson(id.name) || namesPerson(name);
  const areHolders = ({ tables: of, ...pair }: TypedPeople) =>
    of.every((table) => people.includes(table) || countPersonColumns(table) > 0) ||
    (isPerson(pair) && of.some((table) => people.includes(table)));
  return (
    pairs.find((pair) => pair.tables.length > 1 && areHolders(pair)) ??
    pairs.find((pair) => isPerson(pair) && isTypeOf(pair, from, people) && !isInOne(pair, people) && areHolders(pair))
  );
}

function listPairs(from: TableFacts, tables: readonly TableFacts[]): readonly TypedReference[] {
  const ids = from.columns.filter((column) => mayBeId(column, from));
  const namesTables = ({ profile }: ColumnFacts) => distinct(profile).every((word) => tableNamed(word, tables));
  const areNamed = (type: ColumnFacts, id: ColumnFacts) =>
    (letters(type.name) === letters(beginning(id.name)) || namesPerson(id.name)) && namesTables(type);
  return from.columns
    .filter(isType)
    .flatMap((type) =>
      ids
        .filter(
          (id) =>
            id !== type && (beginning(id.name) === beginning(type.name) || areLoose(type, id) || areNamed(type, id)),
        )
        .map((id) => ({ type, id, name: beginning(type.name) || beginning(id.name) })),
    )
    .toSorted((a, b) => Number(isNamedAlike(b)) - Number(isNamedAlike(a)));
}

/** Whether two columns are named as a type and its id, or the same id comes with several types and is in several tables. */
function isTypeOf({ type, id, name }: TypedReference, from: TableFacts, people: readonly TableFacts[]): boolean {
  if (name === '' || beginning(id.name) !== beginning(type.name)) return false;
  if (typeNames.test(splitWords(type.name).at(-1)!)) return true;
  const [first, ...others] = distinct(type.profile).map((word) => idsOf(from, { type, id }, word));
  return people.length > 1 && others.some((ids) => [...ids].some((one) => first!.has(one)));
}

/** The table that a word of a type names: `App\Models\AppUser` is one of `app_users` before one of `users`. */
export function tableNamed(word: string, tables: readonly TableFacts[]): TableFacts | undefined {
  const own = splitWords(word).map(singular);
  const theirs = (table: TableFacts) => splitWords(table.name).map(singular);
  const found = tables.filter((table) => table.key !== undefined && isNameOf(word, table));
  const isEnd = (table: TableFacts) => own.join(' ').endsWith(theirs(table).join(' '));
  return (
    found.find((table) => theirs(table).join() === own.join()) ??
    found.filter(isEnd).toSorted((a, b) => b.name.length - a.name.length)[0] ??
    found[0]
  );
}

/** Whether each word of a type is the name of a table, and that has all ids next to it. */
export function areAllNamed(
  from: TableFacts,
  pair: Pick<TypedReference, 'type' | 'id'>,
  tables: readonly TableFacts[],
) {
  return distinct(pair.type.profile).every((word) => {
    const key = tableNamed(word, tables)?.key;
    return key !== undefined && [...idsOf(from, pair, word)].every((id) => key.ids.has(id));
  });
}

/** Ids of the rows with a word of the type; without 0, which means "none". */
export function idsOf({ sample }: TableFacts, { type, id }: Pick<TypedReference, 'type' | 'id'>, word: string) {
  const rows = sample.rows.filter((row) => (valueText(row.get(type.name))?.trim() ?? '') === word);
  return new Set(rows.flatMap((row) => valueText(row.get(id.name))?.trim() ?? []).filter((text) => text !== '0'));
}

function isType({ shape, profile, isUnique }: ColumnFacts): boolean {
  const words = new Set(profile.texts);
  const isShort = [...words].every((word) => word.length <= typeLengthMax);
  return shape !== 'time' && !isUnique && isShort && words.size > 1 && words.size <= typesMax;
}

const mayBeId = ({ name, shape, ids, isUnique }: ColumnFacts, { sample, key }: TableFacts): boolean =>
  (shape === 'number' || shape === 'long-id' || shape === 'word') &&
  ids.size > 0 &&
  !isUnique &&
  name !== key?.name &&
  !sample.declared?.references.some(({ column }) => column === name);

/** `sender` of `sender_party` and of `senderNo`. */
const beginning = (name: string): string => splitWords(name).slice(0, -1).join('_');

const isNamedAlike = ({ type, id }: TypedReference): boolean =>
  beginning(type.name) === beginning(id.name) && /id$/i.test(id.name);

/** `role` and `user_id` have no word in common. */
const areLoose = (type: ColumnFacts, id: ColumnFacts): boolean =>
  typeNames.test(splitWords(type.name).at(-1) ?? '') && namesPerson(id.name);

const isInOne = ({ id }: TypedReference, people: readonly TableFacts[]): boolean =>
  people.length === 1 && [...id.ids].every((one) => people[0]!.key?.ids.has(one));
