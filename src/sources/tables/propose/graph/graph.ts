import { type ColumnFacts, lastWord, letters, personColumns, singular, type TableFacts } from './facts.ts';
import { splitWords } from '../../../../model/visibility-words.ts';

/** A column whose values are keys of another table. */
export interface Edge {
  readonly from: TableFacts;
  readonly column: ColumnFacts;
  readonly to: TableFacts;
  /** Which part of its different values is found there: 0 to 1. */
  readonly share: number;
  /** Whether the values alone prove it: long ids do not meet by accident. */
  readonly isProven: boolean;
  /** Whether the name points there: `user_id` at `users`. */
  readonly isNamed: boolean;
  /** The column there in which they are found: its key, or a login or e-mail address of people. */
  readonly key: ColumnFacts;
}

/** A type and an id, as Rails and Laravel write who or what a row belongs to: `sender_type`, `sender_id`. */
export interface TypedReference {
  readonly type: ColumnFacts;
  readonly id: ColumnFacts;
  /** Their common name: `sender`. */
  readonly name: string;
}

/** All references among tables. */
export class Graph {
  readonly tables: readonly TableFacts[];
  readonly edges: readonly Edge[];

  /** Tables that describe people: `sender_id` points at each of them. */
  readonly people: readonly TableFacts[];

  constructor(tables: readonly TableFacts[]) {
    this.tables = tables;
    const declared = new Set(tables.flatMap(authorsDeclared));
    this.people = tables.filter(
      (table) => describesPeople(table) || (declared.has(table.sample.path) && table.columns.length > lookupColumns),
    );
    this.edges = tables.flatMap((from) =>
      from.columns.flatMap((column) => tables.flatMap((to) => this.#edgeOf(from, column, to) ?? [])),
    );
  }

  isPeople(table: TableFacts): boolean {
    return this.people.includes(table);
  }

  from(table: TableFacts): readonly Edge[] {
    return this.edges.filter((edge) => edge.from === table);
  }

  to(table: TableFacts): readonly Edge[] {
    return this.edges.filter((edge) => edge.to === table);
  }

  /** The likeliest edge of each column: one that is proven and named before others, the table with most of the values first. */
  best(table: TableFacts): readonly Edge[] {
    const byColumn = new Map<string, Edge>();
    for (const edge of this.from(table)) {
      const before = byColumn.get(edge.column.name);
      if (!before || strength(edge) > strength(before)) byColumn.set(edge.column.name, edge);
    }
    return [...byColumn.values()];
  }

  /** Tables whose key has all of some ids. A table of two keys says what belongs together, and holds nothing of its own. */
  tablesWith(ids: readonly string[]): readonly TableFacts[] {
    const isOwn = ({ sample: { declared } }: TableFacts) => (declared?.primaryKey.length ?? 1) < 2;
    return ids.length === 0
      ? []
      : this.tables.filter((table) => isOwn(table) && table.key && ids.every((id) => table.key!.ids.has(id)));
  }

  #edgeOf(from: TableFacts, column: ColumnFacts, to: TableFacts): Edge | undefined {
    const declared = declaredKey(from, column, to);
    if (declared) return { from, column, to, share: 1, isProven: true, isNamed: true, key: declared };
    const key = this.#keyFor(column, to);
    if (!key || column.ids.size === 0 || !idShapes.has(column.shape) || (to === from && column === key))
      return undefined;
    const isNamed = this.#isNamed(column.name, to);
    // Short ids meet by accident: without a name they prove nothing, and hundreds of tables have them.
    if (!isNamed && key.shape !== 'long-id') return undefined;
    let found = 0;
    for (const id of column.ids) if (key.ids.has(id)) found += 1;
    const share = found / column.ids.size;
    const isProven = share >= wholeShare && key.shape === 'long-id';
    const isLikely = isNamed && share >= partShare;
    return isProven || isLikely ? { from, column, to, share, isProven, isNamed, key } : undefined;
  }

  /** The key of a table; of people another column as well that no two have alike: messages may name them by their login, and profiles by their account. */
  #keyFor({ name: own, ids }: ColumnFacts, to: TableFacts): ColumnFacts | undefined {
    const has = (column: ColumnFacts | undefined) => column !== undefined && [...ids].some((id) => column.ids.has(id));
    if (!this.isPeople(to)) return to.key;
    // Profile 3 may be the one of user 5, so its own number is that of somebody else.
    const isAccount = (column: ColumnFacts) =>
      column.isUnique && /^(?:auth_?)?(?:user|account|member|person)_?(?:u?id|uuid)$/i.test(column.name) && has(column);
    const account = pointsAt(own, to.name) ? undefined : to.columns.find(isAccount);
    if (account || has(to.key)) return account ?? to.key;
    const others = to.columns.filter(
      ({ name, isUnique }) => isUnique && /mail|login|user_?name|handle|nick/i.test(name),
    );
    return others.find(has) ?? to.key;
  }

  #isNamed(column: string, to: TableFacts): boolean {
    const key = to.key!.name;
    const isSameName = letters(column) === letters(key) && !/^_?(?:id|key|pk|uuid|guid)$/i.test(key);
    return isSameName || pointsAt(column, to.name) || (this.isPeople(to) && namesPerson(column));
  }
}

/** The column there that the database says it points to. */
function declaredKey({ sample }: TableFacts, { name }: ColumnFacts, to: TableFacts): ColumnFacts | undefined {
  const found = sample.declared?.references.find(({ column, path }) => column === name && path === to.sample.path);
  return found && to.columns.find((column) => column.name === found.key);
}

const strength = ({ isNamed, isProven, share }: Edge): number => (isNamed ? 2 : 0) + (isProven ? 2 : 0) + share;

/** Shapes of columns that can name rows of another table. */
const idShapes: ReadonlySet<string> = new Set(['number', 'long-id', 'word', 'e-mail', 'time']);
/**
 * Share of ids that must be found in the other table: `wholeShare` to prove a reference, at least `partShare` if its
 * name matches too, because the table may not contain everyone.
 */
const wholeShare = 0.98;
const partShare = 0.5;

/** `sender` of `fields.sender`, `user` of `user._id`. */
function lastStep(column: string): string {
  const steps = column.split('.');
  return /^_?(?:id|uuid|key)$/i.test(steps.at(-1)!) && steps.length > 1 ? `${steps.at(-2)!}_id` : steps.at(-1)!;
}

/** `chat_channel_id` and `channelId` point at `chat_channels`; `room` at `rooms`. */
export function pointsAt(column: string, table: string): boolean {
  const own = splitWords(
    lastStep(column).replace(/[_.]?\$?(?:id|uuid|key|ref|sid|pk|no|nr|num|number|code)$/i, ''),
  ).map(singular);
  const theirs = splitWords(table).map(singular);
  if (own.length === 0) return false;
  const isEnd = (long: readonly string[], short: readonly string[]) =>
    short.length > 0 && short.every((word, index) => word === long[long.length - short.length + index]);
  return isEnd(theirs, own) || isEnd(own, theirs) || letters(own.join('')) === letters(theirs.join(''));
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

const peopleNames =
  /(?:user|people|person|profile|contact|agent|customer|account|client|guest|admin|employee|staff|player|student|benutzer|kunde)s?$/;

/** Whether a table describes people: its columns say so. */
function describesPeople({ name, columns, key }: TableFacts): boolean {
  if (!key) return false;
  const own = columns.filter((column) => personColumns.test(letters(column.name))).length;
  const isNamed =
    /(?:user|people|person)s?$/.test(lastWord(name)) &&
    columns.some((column) => /^(?:name|handle|nick)$/i.test(column.name));
  return isNamed || (peopleNames.test(lastWord(name)) ? own >= 1 : own >= 3);
}

/** A table of an id and a word says of what kind somebody is. */
const lookupColumns = 2;

/** Paths of the tables that the database says hold who wrote the rows of this one. */
const authorsDeclared = ({ sample }: TableFacts): readonly string[] =>
  (sample.declared?.references ?? []).flatMap(({ column, path }) =>
    /^(?:author|sender|writer|poster)(?:id|uuid)?$/.test(letters(column)) ? [path] : [],
  );

const personWords =
  /^(?:user\d?|userone|usertwo|person\d?|participant\d|member\d|sender|employee|author|from|to|recipient|receiver|creator|owner|member|profile|account|person|people|poster|participant|customer|client|agent|contact|assignee|by|useridfrom|useridto|userfrom|userto|uid)$/;

/** Whether a column is named as one that names a person: `sender_id`, `created_by`. */
export const namesPerson = (column: string): boolean =>
  [letters(lastStep(column)), ...splitWords(lastStep(column).replace(/_?(?:id|uuid)$/i, ''))].some((word) =>
    personWords.test(word),
  );
