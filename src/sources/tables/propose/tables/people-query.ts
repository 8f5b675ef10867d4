import { aliases, columnsNamed, withNames } from '../aliases.ts';
import { cellKeys, lastStep } from '../graph/cell-keys.ts';
import type { Row } from '../../row.ts';
import { distinct } from '../columns.ts';
import { type ColumnFacts, letters, type TableFacts } from '../graph/facts.ts';
import type { Edge } from '../graph/graph.ts';
import { endsInName, mayBeNames } from './people.ts';
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
  /** If a row has one value of a person, and a word for it: `meta_key` is `first_name`. */
  readonly words?: { readonly key: string; readonly value: string; readonly names: readonly string[] };
}

/** Names of columns that name bots, shops and companies. */
const otherNames = 'title label company companyname organisation organization';

/** One query of all people: id, name and mail address of each. Of those with one id and no prefix the first table counts. */
export function queryPeople(of: readonly PeopleOf[]): string {
  const selects = of.map(({ table, key, prefix, names }, index) => {
    const [own, other] = names ? ['a.', 'p.'] : ['', ''];
    const id = `${own}${quoted(key.name)}`;
    const parts = [...(names ? partsOfProfile(names, other) : []), ...nameParts(table, own)];
    const shown = firstOf(parts.length > 0 ? parts : onlyNames(table, key).map((name) => own + quoted(name)));
    const mail = mailOf(table);
    const join = names ? ` a LEFT JOIN ${profileRows(names)} p ON p.${quoted(names.column.name)} = ${id}` : '';
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

/** The only column of texts that may be names, whatever it is called. */
function onlyNames({ columns }: TableFacts, key: ColumnFacts): readonly string[] {
  const found = columns.filter(
    (column) => column !== key && (column.shape === 'word' || column.shape === 'text') && mayBeNames(column.profile),
  );
  return found.length === 1 ? [found[0]!.name] : [];
}

const partsOfProfile = ({ table, words }: Profiles, own: string): readonly string[] =>
  words ? [`nullif(${joinWords(words.names, own)}, '')`] : nameParts(table, own);

/** In SQL, nothing behind a word is nothing. */
const joinWords = (names: readonly string[], own: string): string =>
  `trim(${names.map((name) => `coalesce(${own}${quoted(name)}, '')`).join(" || ' ' || ")})`;

/** One row for each person. */
function profileRows({ table, column, words }: Profiles): string {
  if (!words) return tableInQuery(table);
  const values = words.names.map(
    (name) => `max(CASE ${quoted(words.key)} WHEN ${sqlText(name)} THEN ${quoted(words.value)} END) AS ${quoted(name)}`,
  );
  return `(SELECT ${[quoted(column.name), ...values].join(', ')} FROM ${tableInQuery(table)} GROUP BY 1)`;
}

/** The names of the people of a table in rows of another, of which each has one value and a word for it. */
export function namesInRows(edges: readonly Edge[]): Profiles | undefined {
  for (const { from, column } of edges.filter((edge) => edge.from !== edge.to && !edge.column.isUnique)) {
    const free = from.columns.filter((one) => one !== column && one !== from.key);
    for (const { name: key, profile } of free) {
      const named = (list: string) => columnsNamed(distinct(profile), list).slice(0, 1);
      const { name, firstName, lastName } = aliases.user;
      const [first, last, full] = [named(firstName), named(lastName), named(name)];
      const names = first.length + last.length === 2 ? [...first, ...last] : full;
      const [value, ...others] = free.filter(
        (one) => one.name !== key && (one.shape === 'text' || one.shape === 'word'),
      );
      if (names.length > 0 && value && others.length === 0)
        return { table: from, column, words: { key, value: value.name, names } };
    }
  }
  return undefined;
}

/** Whether the names in a table of people say no more than how they log in. */
export function hasLoginsAlone(table: TableFacts): boolean {
  const names = table.columns.map(({ name }) => name);
  const [[full], [login]] = [columnsNamed(names, aliases.user.name), columnsNamed(names, aliases.user.handle)];
  const { rows } = table.sample;
  const text = (row: Row, name: string) => letters(String(row.get(name) ?? ''));
  const isFirst = columnsNamed(names, aliases.user.firstName).length > 0;
  if (full === undefined) return login !== undefined && !isFirst;
  return login !== undefined && rows.filter((row) => text(row, full) === text(row, login)).length >= rows.length * 0.9;
}

const mailOf = ({ columns }: TableFacts): string | undefined =>
  (withNames(columns, aliases.user.email)[0] ?? columns.find(({ shape }) => shape === 'e-mail'))?.name;

const firstOf = ([name, ...more]: readonly string[]): string =>
  more.length === 0 ? (name ?? 'NULL') : `coalesce(${[name, ...more].join(', ')})`;

/** The name of a person of a table, in SQL. */
export const nameIn = (table: TableFacts): string => firstOf(nameParts(table, ''));

/** Whether a column of a table says the names of its people: neither a mail address nor a part of some JSON. */
export const hasNames = (table: TableFacts): boolean =>
  nameParts(table, '').some((sql) => !sql.includes('json_extract('));

/** The place of a person's name in SQL: the first that has one counts. Those behind one that every row has are not needed. */
function nameParts({ columns }: TableFacts, own: string): readonly string[] {
  const names = columns.filter(({ shape }) => shape !== 'empty' && shape !== 'e-mail').map(({ name }) => name);
  const named = (list: string) => columnsNamed(names, list)[0];
  const { name, firstName, lastName } = aliases.user;
  const [full, first, last, login] = [named(name), named(firstName), named(lastName), named(aliases.user.handle)];
  const handle = login !== undefined && /slug/i.test(login) ? undefined : login;
  const column = (found: string | undefined) => (found === undefined ? [] : [found]);
  const inside = columns.flatMap(({ profile }) =>
    columnsNamed(cellKeys(profile).map(lastStep), name)
      .slice(0, 1)
      .map((key) => ({ key, column: profile.name })),
  )[0];
  const both = first !== undefined && last !== undefined ? joinWords([first, last], own) : undefined;
  const ending = names.find(endsInName);
  const parts = [
    ...column(full).map((one) => ({ sql: own + quoted(one), from: one })),
    ...column(both).map((sql) => ({ sql, from: first! })),
    ...(inside
      ? [{ sql: `json_extract(${own}${quoted(inside.column)}, ${sqlText(`$.${inside.key}`)})`, from: '' }]
      : []),
    ...column(handle ?? ending ?? named(otherNames) ?? login ?? first ?? last).map((one) => ({
      sql: own + quoted(one),
      from: one,
    })),
  ];
  const isSure = (from: string) => columns.find((one) => one.name === from)?.isFilled === true;
  const sure = parts.findIndex(({ from }) => isSure(from));
  const needed = sure < 0 || own === 'p.' ? parts : parts.slice(0, sure + 1);
  return needed.map(({ sql }, index) => (index === needed.length - 1 ? sql : `nullif(${sql}, '')`));
}
