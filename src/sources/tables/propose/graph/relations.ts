import { valueText } from '../../bind/value.ts';
import type { Row } from '../../row.ts';
import { type ColumnFacts, isNameOf, type TableFacts } from './facts.ts';
import type { Edge, Graph } from './graph.ts';
import { areAllNamed, type TypedReference, typedReferences } from './parties.ts';
import { namesOtherPerson, countPersonColumns, namesPerson } from './people.ts';
import { memberships } from './roles.ts';
import { findValueWords, type ValueWords } from './value-words.ts';

/** Relations of the columns of one table to other tables. */
export class Relations {
  readonly #graph: Graph | undefined;
  readonly #edges: ReadonlyMap<string, Edge>;
  readonly #table: TableFacts | undefined;

  constructor(graph?: Graph, table?: TableFacts) {
    this.#graph = graph;
    this.#table = table;
    // A column that another table has next to a person names what that person belongs to.
    const isRoom = (column: ColumnFacts) => memberships(graph!, undefined, column).length > 0;
    const mayBe = ({ to, column }: Edge) => !graph!.isPeople(to) || !isRoom(column);
    const edges = graph && table ? [...graph.possible(table).filter(mayBe), ...graph.best(table)] : [];
    this.#edges = new Map(edges.map((edge) => [edge.column.name, edge]));
  }

  /** The column by which other tables name the rows of this one. */
  get key(): ColumnFacts | undefined {
    return this.#table?.key;
  }

  /** Words for the codes of this table. */
  get words(): ValueWords {
    return this.#graph && this.#table ? findValueWords(this.#graph, this.#table) : new Map();
  }

  columnOf(name: string): ColumnFacts | undefined {
    return this.#table?.columns.find((column) => column.name === name);
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

  /** Columns that name people of different tables, if no row has a value in two of them. */
  exclusivePeople(): readonly Edge[] {
    const partly = [...this.#edges.values()].filter(
      ({ to, column }) =>
        column.profile.texts.length < column.profile.rowCount &&
        mayBePerson(to, this.isPeople(to)) &&
        !namesOtherPerson(column.name),
    );
    const rows = this.#table?.sample.rows ?? [];
    const has = (row: Row, { column }: Edge) => valueText(row.get(column.name)) !== undefined;
    const areExclusive = (edges: readonly Edge[], least: number) => {
      const named = rows.map((row) => edges.filter((edge) => has(row, edge)).length);
      const isOfSeveral = new Set(edges.map(({ to }) => to)).size > 1;
      return isOfSeveral && named.every((found) => found < 2) && named.filter(Boolean).length > rows.length * least;
    };
    if (areExclusive(partly, 0.5)) return partly;
    // Others may say who is assigned, or whose the conversation is.
    const pairs = partly.flatMap((one, index) => partly.slice(index + 1).map((other) => [one, other]));
    return pairs.find((pair) => areExclusive(pair, 0.9)) ?? [];
  }

  /** Whether a negative number is that of a row in a table of people: guests have such ids among those of accounts. */
  isGuest(id: string, accounts: TableFacts): boolean {
    const isOf = (table: TableFacts) => table !== accounts && table.key?.ids.has(id.replace(/^-/, '')) === true;
    return this.#graph?.people.some(isOf) ?? false;
  }

  /** The column that names a conversation, if the table of those says who visited: a name of a person, or a mail address. */
  visitors(): Edge | undefined {
    return [...this.#edges.values()].find(({ to }) => !this.isPeople(to) && to !== this.#table && mayNameVisitors(to));
  }

  /** Whether another table says who belongs to the conversations that a column names. */
  hasMembers(name: string): boolean {
    const [to, column] = [this.#edges.get(name)?.to, this.columnOf(name)];
    if (!this.#graph || !column || to === this.#table || (to && this.isPeople(to))) return false;
    return memberships(this.#graph, to, column).some((one) => one.value.table !== this.#table);
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

  /** Returns the columns of a type and an id of whoever wrote, if one number may be several people. */
  typedSender(): TypedReference | undefined {
    return this.#table && this.#graph?.typedPeople(this.#table);
  }

  /** Whether every row has a type and an id, and they are the name and a key of a table. */
  areAllNamed(pair: TypedReference): boolean {
    const others = this.#graph!.tables.filter((one) => one !== this.#table);
    const isWhole = [pair.type, pair.id].every(
      ({ profile: { texts, rowCount } }) => texts.length === rowCount && !texts.includes('0'),
    );
    return isWhole && areAllNamed(this.#table!, pair, others);
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
}

const has = ({ columns }: TableFacts, name: RegExp): boolean => columns.some((column) => name.test(column.name));

const mayBePerson = (table: TableFacts, isPeople: boolean): boolean => isPeople || countPersonColumns(table) > 0;

const mayNameVisitors = (table: TableFacts): boolean =>
  countPersonColumns(table) > 0 || has(table, /nick|visitor|guest|customer_?name|client_?name|caller|requester/i);
