import { textsIn } from '../columns.ts';
import type { ColumnFacts, TableFacts } from './facts.ts';
import { type Edge, type Graph, namesPerson, type TypedReference, typedReferences } from './graph.ts';
import { isNameOf } from './links.ts';
import { memberships } from './roles.ts';

/** Relations of the columns of one table to other tables. */
export class Relations {
  readonly #graph: Graph | undefined;
  readonly #edges: ReadonlyMap<string, Edge>;
  readonly #table: TableFacts | undefined;

  constructor(graph?: Graph, table?: TableFacts) {
    this.#graph = graph;
    this.#table = table;
    this.#edges = new Map(graph && table ? graph.best(table).map((edge) => [edge.column.name, edge]) : []);
  }

  edgeOf(column: string): Edge | undefined {
    return this.#edges.get(column);
  }

  isPeople(table: TableFacts): boolean {
    return this.#graph?.isPeople(table) ?? false;
  }

  isPersonId(id: string): boolean {
    return this.#graph?.people.some(({ key }) => key?.ids.has(id)) ?? false;
  }

  /** The only other table whose key has all of some ids; of several, the one that a word names. */
  tableOf(ids: Iterable<string>, word?: string): TableFacts | undefined {
    const found = this.#graph?.tablesWith([...ids]).filter((table) => table !== this.#table) ?? [];
    return found.length === 1 ? found[0] : found.find((table) => word !== undefined && isNameOf(word, table));
  }

  /** Whether another table says who belongs to the rows of this one. */
  hasMembers(table: TableFacts): boolean {
    return this.#graph !== undefined && memberships(this.#graph, table).length > 0;
  }

  /**
   * The table that a column names rows of, where those only say of what type they are and name yet another row:
   * then one conversation may have several of them.
   */
  isIndirect(column: string): string | undefined {
    const to = this.#edges.get(column)?.to;
    const isOnlyType =
      to?.columns.length !== undefined && to.columns.length <= 4 && has(to, /^type$/i) && has(to, /^type_?id$/i);
    return isOnlyType ? to.name : undefined;
  }

  /**
   * Returns `sender_type` and `sender_id`, if the type has several values: one number may then be several people.
   *
   * @param author As far as it is decided.
   */
  typedSender(author?: unknown): TypedReference | undefined {
    if (!this.#table) return undefined;
    const isSaid = (column: string) => textsIn(author).some((text) => text.includes(`{${column}}`));
    return typedReferences(this.#table).find(
      ({ name, type }) =>
        namesPerson(name) &&
        new Set(type.profile.texts).size > 1 &&
        (isSaid(type.name) || this.#areTables(type) || !this.#isOneTable(name)),
    );
  }

  /** Returns `commentable_type` and `commentable_id` of the subjects of messages, if the type has several values. */
  typedPlaces(): readonly TypedReference[] {
    if (!this.#table) return [];
    return typedReferences(this.#table).filter(
      ({ name, type, id }) => !namesPerson(name) && new Set(type.profile.texts).size > 1 && id.isFilled && !id.isUnique,
    );
  }

  /** Whether a word is the name of a table that holds neither people nor these rows. */
  namesTable(word: string): boolean {
    return (
      this.#graph?.tables.some((one) => one !== this.#table && !this.isPeople(one) && isNameOf(word, one)) ?? false
    );
  }

  /** Whether the types are names of several tables: a table that holds no people by its columns may be one of bots. */
  #areTables({ profile }: ColumnFacts): boolean {
    const words = [...new Set(profile.texts)];
    const named = this.#graph?.tables.filter((table) => words.some((word) => isNameOf(word, table)));
    return named !== undefined && named.length > 1;
  }

  /** Whether all of the ids are found in one table, which no other table shares. */
  #isOneTable(name: string): boolean {
    const edge = [...this.#edges.values()].find(({ column }) =>
      column.name.toLowerCase().startsWith(name.toLowerCase()),
    );
    return edge !== undefined && edge.share >= 0.98 && (this.#graph?.people.length ?? 0) === 1;
  }
}

const has = ({ columns }: TableFacts, name: RegExp): boolean => columns.some((column) => name.test(column.name));
