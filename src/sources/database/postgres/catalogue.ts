import { asColumn, type DatabaseColumn, type DatabaseTable, type ForeignKey } from '../database.ts';
import { columnsSql, keysSql, roleSql, tablesSql } from './catalogue-queries.ts';
import { qualified, quoted } from './identifier.ts';
import type { Answer, PostgresSession } from './session.ts';

/** A column and whether the role may read it. */
export interface PostgresColumn extends DatabaseColumn {
  readonly isBytes: boolean;
  readonly isReadable: boolean;
}

/** A table as the catalogue has it, with all columns; those of `table` are the readable ones. */
export interface PostgresTable {
  readonly table: DatabaseTable;
  readonly columns: readonly PostgresColumn[];
  readonly schema: string;
  /** As a statement names it. */
  readonly from: string;
  /** Whether the role may use its schema. */
  readonly isWithinReach: boolean;
  readonly isWritable: boolean;
  /** Policies decide which rows the role sees. */
  readonly hasRowSecurity: boolean;
}

export interface PostgresCatalogue {
  /** As a statement names it. */
  readonly role: string;
  readonly isSuperuser: boolean;
  /** `UTF8` */
  readonly encoding: string;
  readonly tables: readonly PostgresTable[];
}

type Columns = ReadonlyMap<string, ReadonlyMap<string, PostgresColumn>>;

/** Four statements, however many tables there are. Memory grows with the number of columns, some hundred bytes each. @throws SourceError */
export async function readCatalogue(session: PostgresSession): Promise<PostgresCatalogue> {
  const [[role, isSuperuser, encoding] = []] = await session.run(roleSql);
  const tables = await session.run(tablesSql);
  const { schema: schemaShort } = session;
  const columns = columnsByTable(await session.run(columnsSql), `${schemaShort.toLowerCase()}.`);
  const names = new Map(tables.map(([oid, schema, name]) => [oid!, shortName(schema!, name!, schemaShort)]));
  const keys = keysByTable(await session.run(keysSql), names, columns);
  await session.searchIn();
  return {
    role: quoted(role ?? ''),
    isSuperuser: isSuperuser === 't',
    encoding: encoding ?? '',
    tables: tables.map((row) => readTable(row, names, columns, keys)).sort(byName),
  };
}

const byName = (a: PostgresTable, b: PostgresTable): number =>
  a.table.name < b.table.name ? -1 : Number(a.table.name > b.table.name);

function readTable(
  row: Answer[number],
  names: ReadonlyMap<string, string>,
  columns: Columns,
  keys: Keys,
): PostgresTable {
  const [oid, schema, name, isView, rowsAbout, isWithinReach, isWritable, hasRowSecurity] = row;
  const all = [...(columns.get(oid!)?.values() ?? [])];
  return {
    table: {
      name: names.get(oid!)!,
      columns: all.filter(({ isReadable }) => isReadable).map(asColumn),
      primaryKey: keys.primary.get(oid!) ?? [],
      foreignKeys: keys.foreign.get(oid!) ?? [],
      isView: isView === 't',
      ...(rowsAbout !== null && { rowsAbout: Number(rowsAbout) }),
    },
    columns: all,
    schema: schema!,
    from: qualified(schema!, name!),
    isWithinReach: isWithinReach === 't',
    isWritable: isWritable === 't',
    hasRowSecurity: hasRowSecurity === 't',
  };
}

/** `messages`, or `chat.messages`; a part with a dot in it is quoted, so that no two tables have one name. */
function shortName(schema: string, name: string, schemaShort: string): string {
  const part = (text: string) => (/[."]/.test(text) ? quoted(text) : text);
  return schema === schemaShort ? part(name) : `${part(schema)}.${part(name)}`;
}

/** @param prefix Of the types of the schema that is searched first. */
function columnsByTable(answer: Answer, prefix: string): Columns {
  const tables = new Map<string, Map<string, PostgresColumn>>();
  for (const [oid, number, name, type, words, isBytes, isReadable, comment] of answer) {
    const columns = tables.get(oid!) ?? new Map<string, PostgresColumn>();
    tables.set(oid!, columns);
    columns.set(number!, {
      name: name!,
      type: type!.startsWith(prefix) ? type!.slice(prefix.length) : type!,
      ...(words && { words: JSON.parse(words) as readonly string[] }),
      ...(comment && { comment }),
      isBytes: isBytes === 't',
      isReadable: isReadable === 't',
    });
  }
  return tables;
}

interface Keys {
  readonly primary: ReadonlyMap<string, readonly string[]>;
  readonly foreign: ReadonlyMap<string, readonly ForeignKey[]>;
}

/** Keys of which the role may read every column, on both sides. */
function keysByTable(answer: Answer, names: ReadonlyMap<string, string>, columns: Columns): Keys {
  const primary = new Map<string, readonly string[]>();
  const foreign = new Map<string, readonly ForeignKey[]>();
  const listNames = (oid: string, numbers: string | null): readonly string[] | undefined => {
    const found = (JSON.parse(numbers ?? '[]') as readonly number[]).map((number) =>
      columns.get(oid)?.get(`${number}`),
    );
    return found.every((column) => column?.isReadable) ? found.map((column) => column!.name) : undefined;
  };
  for (const [oid, type, key, toOid, toKey] of answer) {
    const own = listNames(oid!, key!);
    if (!own) continue;
    if (type === 'p') {
      primary.set(oid!, own);
      continue;
    }
    const [table, references] = [names.get(toOid!), listNames(toOid!, toKey!)];
    if (table && references) foreign.set(oid!, [...(foreign.get(oid!) ?? []), { columns: own, table, references }]);
  }
  return { primary, foreign };
}
