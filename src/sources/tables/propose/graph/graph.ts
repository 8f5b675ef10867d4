import { type ColumnFacts, letters, singular, type TableFacts } from './facts.ts';
import { areAllIn, findPeople, lastStep, namesOtherPerson, namesPerson } from './people.ts';
import { findTypedPeople, type TypedPeople, type TypedReference } from './parties.ts';
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

/** Contents of tables, as the owner says. */
type SaidTables = Readonly<Partial<Record<'users' | 'conversations', TableFacts | undefined>>>;

/** All references among tables. */
export class Graph {
  readonly tables: readonly TableFacts[];
  readonly edges: readonly Edge[];

  /** Tables that hold people: `sender_id` points at each of them. */
  readonly people: readonly TableFacts[];
  readonly #said: SaidTables;
  readonly #possible: readonly Edge[];
  readonly #typed: ReadonlyMap<TableFacts, TypedPeople>;

  constructor(tables: readonly TableFacts[], said: SaidTables = {}) {
    this.tables = tables;
    this.#said = said;
    const found = findPeople(tables);
    this.#typed = new Map(
      tables.flatMap((from) => {
        const pair = findTypedPeople(from, tables, found);
        return pair ? [[from, pair] as const] : [];
      }),
    );
    const named = [...this.#typed.values()].flatMap(({ tables: of }) => of);
    this.people = [...new Set([...(said.users ? [said.users] : []), ...found, ...named])];
    const edges = tables.flatMap((from) => from.columns.flatMap((column) => this.#edgesOf(from, column)));
    this.edges = edges.filter(({ isNamed, isProven }) => isNamed || isProven);
    this.#possible = edges.filter((edge) => !this.edges.includes(edge));
  }

  isPeople(table: TableFacts): boolean {
    return this.people.includes(table);
  }

  /** Columns of short ids under any name, all of which are in a table that the owner says: any of them may be the author, or the conversation. */
  possible(table: TableFacts): readonly Edge[] {
    return this.#possible.filter((edge) => edge.from === table);
  }

  /** The type and the id by which rows of a table name people of several tables. */
  typedPeople(table: TableFacts): TypedReference | undefined {
    return this.#typed.get(table);
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
      if (!before || this.#strength(edge) > this.#strength(before)) byColumn.set(edge.column.name, edge);
    }
    return [...byColumn.values()];
  }

  /** The likeliest edge of a column. */
  edgeOf(table: TableFacts, column: unknown): Edge | undefined {
    return this.best(table).find((edge) => edge.column.name === column);
  }

  /** Columns that name people who may have written a row. */
  persons(table: TableFacts): readonly Edge[] {
    return this.best(table).filter(({ to, column }) => this.isPeople(to) && !namesOtherPerson(column.name));
  }

  /** Tables whose key has all of some ids. A table of two keys says what belongs together, and holds nothing of its own. */
  tablesWith(ids: readonly string[]): readonly TableFacts[] {
    const isOwn = ({ sample: { declared } }: TableFacts) => (declared?.primaryKey.length ?? 1) < 2;
    return ids.length === 0
      ? []
      : this.tables.filter((table) => isOwn(table) && table.key && ids.every((id) => table.key!.ids.has(id)));
  }

  /** `agent_id` may name each table of people, and one of agents before the others. */
  #strength({ column, to, isNamed, isProven, share }: Edge): number {
    const isSaid = this.#isSaid(to) || pointsAt(column.name, to.name);
    return (isNamed ? 2 : 0) + (isProven ? 2 : 0) + share + (isSaid ? 0.5 : 0);
  }

  #isSaid(table: TableFacts): boolean {
    return table === this.#said.users || table === this.#said.conversations;
  }

  /** The tables that the database says a column points to; without such, those that have its values. */
  #edgesOf(from: TableFacts, column: ColumnFacts): readonly Edge[] {
    const declared = this.tables.flatMap((to): Edge[] => {
      const key = declaredKey(from, column, to);
      return key ? [{ from, column, to, share: 1, isProven: true, isNamed: true, key }] : [];
    });
    return declared.length > 0 ? declared : this.tables.flatMap((to) => this.#edgeOf(from, column, to) ?? []);
  }

  #edgeOf(from: TableFacts, column: ColumnFacts, to: TableFacts): Edge | undefined {
    const key = this.#keyFor(column, to);
    if (
      !key ||
      column.ids.size === 0 ||
      !idShapes.has(column.shape) ||
      (to === from && column === key) ||
      isYesOrNo(column)
    )
      return undefined;
    const isNamed = this.#isNamed(column.name, to, key);
    const isSaid = this.#isSaid(to) && column.ids.size > 1 && column !== from.key;
    // Short ids meet by accident: without a name, or an owner who says it, they prove nothing, and hundreds of tables have them.
    if (!isNamed && !isSaid && key.shape !== 'long-id') return undefined;
    let [found, count] = [0, 0];
    for (const id of column.ids) {
      const isThere = key.ids.has(id);
      if (isThere) found += 1;
      // A negative number among others stands for nobody, or for a guest of another table.
      if (isThere || !/^-\d+$/.test(id)) count += 1;
    }
    const share = count === 0 ? 0 : found / count;
    const isProven = share >= wholeShare && key.shape === 'long-id';
    const isLikely = (isNamed && share >= partShare) || (isSaid && share >= wholeShare);
    return isProven || isLikely ? { from, column, to, share, isProven, isNamed, key } : undefined;
  }

  /** The key of a table, or another column that no two rows have alike and that has the ids: a login, an account, the number of a provider. */
  #keyFor(column: ColumnFacts, to: TableFacts): ColumnFacts | undefined {
    const { name: own, ids } = column;
    const has = (key: ColumnFacts | undefined) => key !== undefined && [...ids].some((id) => key.ids.has(id));
    const isPeople = this.isPeople(to);
    // Profile 3 may be the one of user 5, so its own number is that of somebody else.
    const isAccount = (key: ColumnFacts) =>
      key.isUnique && /^(?:auth_?)?(?:user|account|member|person)_?(?:u?id|uuid)$/i.test(key.name) && has(key);
    const account = !isPeople || pointsAt(own, to.name) ? undefined : to.columns.find(isAccount);
    if (account || has(to.key)) return account ?? to.key;
    const isLogin = ({ name, isUnique }: ColumnFacts) => isUnique && /mail|login|user_?name|handle|nick/i.test(name);
    return (
      to.columns.find((key) => isPeople && isLogin(key) && has(key)) ??
      to.columns.find((key) => (isPeople || (key.name === own && pointsAt(own, to.name))) && areAllIn(column, key)) ??
      to.key
    );
  }

  #isNamed(column: string, to: TableFacts, { name: key }: ColumnFacts): boolean {
    const isSameName = letters(column) === letters(key) && !/^_?(?:id|key|pk|uuid|guid)$/i.test(key);
    return isSameName || pointsAt(column, to.name) || (this.isPeople(to) && namesPerson(column));
  }
}

/** The column there that the database says it points to. */
function declaredKey({ sample }: TableFacts, { name }: ColumnFacts, to: TableFacts): ColumnFacts | undefined {
  const found = sample.declared?.references.find(({ column, path }) => column === name && path === to.sample.path);
  return found && to.columns.find((column) => column.name === found.key);
}

/** 0 and 1, and nothing else. */
const isYesOrNo = ({ ids, profile }: ColumnFacts): boolean =>
  ids.size === 1 && ids.has('1') && profile.texts.includes('0');

/** Shapes of columns that can name rows of another table. */
const idShapes: ReadonlySet<string> = new Set(['number', 'long-id', 'word', 'e-mail', 'time']);
/**
 * Share of ids that must be found in the other table: `wholeShare` to prove a reference, at least `partShare` if its
 * name matches too, because the table may not contain everyone.
 */
const wholeShare = 0.98;
const partShare = 0.5;

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
