import { aliases, columnsNamed } from '../aliases.ts';
import { cellKeys, lastStep } from '../graph/cell-keys.ts';
import type { ColumnFacts, TableFacts } from '../graph/facts.ts';
import { quoted, sqlText, tableInQuery } from './sql.ts';

/** People of one table in a query over several. */
export interface PeopleOf {
  readonly table: TableFacts;
  /** The column by which messages name them. */
  readonly key: ColumnFacts;
  /** Before their ids, as the author has it: `agent:`, or the minus of a guest. */
  readonly prefix?: string;
  /** A table that has their names. */
  readonly names?: Profiles;
}

/** A table that has names of the rows of another. */
export interface Profiles {
  readonly table: TableFacts;
  /** The column that names a row of the other. */
  readonly column: ColumnFacts;
}

/** Names of columns that name bots, shops and companies. */
const otherNames = 'title label company companyname organisation organization';

/** One query of all people: id, name and mail address of each. Of those with one id and no prefix the first table counts. */
export function queryPeople(of: readonly PeopleOf[]): string {
  const selects = of.map(({ table, key, prefix, names }, index) => {
    const [own, other] = names ? ['a.', 'p.'] : ['', ''];
    const id = `${own}${quoted(key.name)}`;
    const shown = firstOf([...(names ? nameParts(names.table, other) : []), ...nameParts(table, own)]);
    const mail = mailOf(table);
    const join = names ? ` a LEFT JOIN ${tableInQuery(names.table)} p ON p.${quoted(names.column.name)} = ${id}` : '';
    const before = prefix === undefined ? of.slice(0, index).filter((one) => one.prefix === undefined) : [];
    const where = before.map((one) => `${id} NOT IN (SELECT ${quoted(one.key.name)} FROM ${tableInQuery(one.table)})`);
    return (
      `SELECT ${prefix === undefined ? id : `${sqlText(prefix)} || ${id}`} AS id, ${shown} AS name, ` +
      `${mail === undefined ? 'NULL' : `${own}${quoted(mail)}`} AS email FROM ${tableInQuery(table)}${join}` +
      (where.length > 0 ? ` WHERE ${where.join(' AND ')}` : '')
    );
  });
  return selects.join(' UNION ALL ');
}

const mailOf = ({ columns }: TableFacts): string | undefined =>
  columnsNamed(
    columns.map(({ name }) => name),
    aliases.user.email,
  )[0] ?? columns.find(({ shape }) => shape === 'e-mail')?.name;

const firstOf = ([name, ...more]: readonly string[]): string =>
  more.length === 0 ? (name ?? 'NULL') : `coalesce(${[name, ...more].join(', ')})`;

/** The name of a person of a table, in SQL. */
export const nameIn = (table: TableFacts): string => firstOf(nameParts(table, ''));

/** Whether a column of a table says the names of its people: neither a mail address nor a part of some JSON. */
export const hasNames = (table: TableFacts): boolean =>
  nameParts(table, '').some((sql) => !sql.includes('json_extract('));

/** Where the name of a person is, in SQL: the first that has one counts. Those behind one that every row has are not needed. */
function nameParts({ columns }: TableFacts, own: string): readonly string[] {
  const names = columns.filter(({ shape }) => shape !== 'empty' && shape !== 'e-mail').map(({ name }) => name);
  const named = (list: string) => columnsNamed(names, list)[0];
  const { name, firstName, lastName, handle } = aliases.user;
  const [full, first, last, login] = [named(name), named(firstName), named(lastName), named(handle)];
  const column = (found: string | undefined) => (found === undefined ? [] : [found]);
  const inside = columns.flatMap(({ profile }) =>
    columnsNamed(cellKeys(profile).map(lastStep), name)
      .slice(0, 1)
      .map((key) => ({ key, column: profile.name })),
  )[0];
  const both =
    first !== undefined && last !== undefined
      ? `trim(${own}${quoted(first)} || ' ' || ${own}${quoted(last)})`
      : undefined;
  const ending = names.find((one) => /name$/i.test(one) && !/file|user|login|domain|host|table/i.test(one));
  const parts = [
    ...column(full).map((one) => ({ sql: own + quoted(one), from: one })),
    ...column(both).map((sql) => ({ sql, from: first! })),
    ...(inside
      ? [{ sql: `json_extract(${own}${quoted(inside.column)}, ${sqlText(`$.${inside.key}`)})`, from: '' }]
      : []),
    ...column(login ?? ending ?? named(otherNames) ?? first ?? last).map((one) => ({
      sql: own + quoted(one),
      from: one,
    })),
  ];
  const isSure = (from: string) => columns.find((one) => one.name === from)?.isFilled === true;
  const sure = parts.findIndex(({ from }) => isSure(from));
  const needed = sure < 0 || own === 'p.' ? parts : parts.slice(0, sure + 1);
  return needed.map(({ sql }, index) => (index === needed.length - 1 ? sql : `nullif(${sql}, '')`));
}
