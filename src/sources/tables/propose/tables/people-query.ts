import { aliases, columnsNamed, withNames } from '../aliases.ts';
import { cellKeys, lastStep } from '../graph/cell-keys.ts';
import { distinct } from '../columns.ts';
import type { ColumnFacts, TableFacts } from '../graph/facts.ts';
import type { Edge, Graph } from '../graph/graph.ts';
import { areTheSame, endsInName, mayBeNames } from './people.ts';
import { quoted, sqlText, tableInQuery } from './sql.ts';

/** People of one table in a query over several. */
export interface PeopleOf {
  readonly table: TableFacts;
  /** The column by which messages name them. */
  readonly key: ColumnFacts;
  /** Before their ids, as the author has it: `agent:`, or the minus of a guest. */
  readonly prefix?: string;
  /** Behind their ids: `@` and the name of their server. */
  readonly suffix?: string;
  /** A table that has their names. */
  readonly names?: Profiles;
}

/** A table that has names of the rows of another. */
export interface Profiles {
  readonly table: TableFacts;
  /** The column that names a row of the other, or that a column of the other names. */
  readonly column: ColumnFacts;
  readonly by?: ColumnFacts;
  /** If a row has one value of a person, and a word for it: `meta_key` is `first_name`. */
  readonly words?: {
    readonly key: string;
    readonly value: string;
    readonly names: readonly string[];
    readonly shown: string;
  };
}

/** Names of columns that name bots, shops and companies. */
const otherNames = 'title label company companyname organisation organization';

/** One query of all people: id, name and mail address of each. Of those with one id and no prefix the first table counts. */
export function queryPeople(of: readonly PeopleOf[]): string {
  const selects = of.map(({ table, key, prefix, suffix, names }, index) => {
    const [own, other] = names ? ['a.', 'p.'] : ['', ''];
    const id = `${own}${quoted(key.name)}`;
    const parts = [...(names ? partsOfProfile(names, other) : []), ...nameParts(table, own)];
    const shown = firstOf(parts.length > 0 ? parts : onlyNames(table, key).map((name) => own + quoted(name)));
    const mail = mailOf(table);
    const by = own + quoted((names?.by ?? key).name);
    const join = names ? ` a LEFT JOIN ${profileRows(names)} p ON p.${quoted(names.column.name)} = ${by}` : '';
    const called = prefix === undefined ? id : `${sqlText(prefix)} || ${id}`;
    const before = prefix === undefined ? of.slice(0, index).filter((one) => one.prefix === undefined) : [];
    const where = before.map((one) => `${id} NOT IN (SELECT ${quoted(one.key.name)} FROM ${tableInQuery(one.table)})`);
    return (
      `SELECT ${called}${suffix === undefined ? '' : ` || ${sqlText(suffix)}`} AS id, ${shown} AS name, ` +
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

/** The names of the people of a table in rows of another, of which each has one value and a word for it: its own, or one in the row that it names. */
export function namesInRows(accounts: TableFacts, graph: Graph): Profiles | undefined {
  const edges = graph.to(accounts).filter((edge) => edge.from !== accounts && !edge.column.isUnique);
  for (const { from, column } of edges) {
    const free = from.columns.filter((one) => one !== column && one !== from.key);
    for (const key of free) {
      const to = graph.best(from).find((edge) => edge.column === key);
      const words = to ? wordsIn(to) : new Map(distinct(key.profile).map((word) => [word, word]));
      const [value, ...others] = free.filter((one) => one !== key && (one.shape === 'text' || one.shape === 'word'));
      const has = (word: string) =>
        from.sample.rows.some((row) => words.get(String(row.get(key.name))) === word && row.get(value!.name));
      const named = (list: string) =>
        columnsNamed([...words.values()], list)
          .filter(has)
          .slice(0, 1);
      if (!value || others.length > 0) continue;
      const { name, firstName, lastName } = aliases.user;
      const [first, last, full] = [named(firstName), named(lastName), named(name)];
      const found = first.length + last.length === 2 ? [...first, ...last] : full;
      const names = found.map((word) => [...words].find(([, one]) => one === word)![0]);
      const shown = found.map((word) => `"${word}"`).join(' and ');
      if (names.length > 0) return { table: from, column, words: { key: key.name, value: value.name, names, shown } };
    }
  }
  return undefined;
}

/** By their keys, words for the rows of a table that are like names of columns. */
const wordsIn = ({ to, key }: Edge): ReadonlyMap<string, string> =>
  new Map(
    to.sample.rows.flatMap((row) => {
      const texts = to.columns.map(({ name }) => String(row.get(name) ?? ''));
      const { name, firstName, lastName } = aliases.user;
      const [word] = columnsNamed(texts, `${name} ${firstName} ${lastName}`);
      return word === undefined ? [] : [[String(row.get(key.name)), word] as const];
    }),
  );

/** Whether the names in a table of people say no more than how they log in. */
export function hasLoginsAlone(table: TableFacts): boolean {
  const names = table.columns.map(({ name }) => name);
  const [[full], [login]] = [columnsNamed(names, aliases.user.name), columnsNamed(names, aliases.user.handle)];
  const isFirst = columnsNamed(names, aliases.user.firstName).length > 0;
  if (full === undefined) return login !== undefined && !isFirst;
  return login !== undefined && areTheSame(table.sample.rows, full, [login]);
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
function nameParts({ columns, sample: { rows } }: TableFacts, own: string): readonly string[] {
  const names = columns.filter(({ shape }) => shape !== 'empty' && shape !== 'e-mail').map(({ name }) => name);
  const named = (list: string) => columnsNamed(names, list)[0];
  const { name, firstName, lastName } = aliases.user;
  const [whole, first, last, login] = [named(name), named(firstName), named(lastName), named(aliases.user.handle)];
  const full = whole && first && last && areTheSame(rows, whole, [first, last]) ? undefined : whole;
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
