import type { TableFacts } from '../graph/facts.ts';

/** A name of a table or column in a query. */
export const quoted = (name: string): string =>
  /^[a-z_]\w*$/i.test(name) && !words.has(name.toLowerCase()) ? name : `"${name.replaceAll('"', '""')}"`;

/** A table as a query names it: in a database with its schema. */
export const tableInQuery = ({ sample, name }: Pick<TableFacts, 'sample' | 'name'>): string =>
  quoted(sample.nameInQuery ?? name);

export const sqlText = (text: string): string => `'${text.replaceAll("'", "''")}'`;

/** Words of SQL that people call their tables and columns. */
const words: ReadonlySet<string> = new Set(
  'all and as by case check create default delete desc distinct else end exists foreign from full group having in index insert into is join key left like limit not null offset on or order primary references right select set table then to transaction union unique update using values when where with'.split(
    ' ',
  ),
);
