import type { Reading } from '../../../table-source.ts';
import { parseExactJson } from '../../row.ts';
import { aliases, columnsNamed } from '../aliases.ts';
import type { ColumnFacts, TableFacts } from '../graph/facts.ts';
import { lastWord, singular } from '../graph/facts.ts';
import type { Graph } from '../graph/graph.ts';
import { quoted, sqlText, tableInQuery } from './sql.ts';

/** Several messages in one row: inside of a cell of JSON, or what was asked and what was answered. */

/** Where the JSON of a column has messages. */
export interface Folded {
  readonly column: ColumnFacts;
  /** Path to a list or an object of messages; undefined if the cell itself is one. */
  readonly path: string | undefined;
  /** Single values of the messages. */
  readonly keys: readonly string[];
  readonly hasTime: boolean;
  readonly count: number;
}

/** Cells that are looked at, and objects around each other in one. */
const cellsMax = 50;
const depthMax = 4;

/** The place in a column of JSON with most messages, where no other column holds texts. */
export function findFolded({ columns }: TableFacts): Folded | undefined {
  const named = columnsNamed(
    columns.map(({ name }) => name),
    aliases.message.text,
  );
  if (columns.some(({ name, shape }) => shape === 'text' && named.includes(name))) return undefined;
  const places = columns
    .filter(({ shape }) => shape === 'json')
    .flatMap((column) => {
      const found = new Map<string, object[]>();
      for (const text of column.profile.texts.slice(0, cellsMax)) collect(parseExactJson(text), '', found);
      return [...found].map(([path, messages]): Folded => {
        const keys = [...new Set(messages.flatMap(singleKeys))];
        const hasTime = columnsNamed(keys, aliases.message.time).length > 0;
        return { column, path: path === '' ? undefined : path.slice(1) || '$', keys, hasTime, count: messages.length };
      });
    });
  return places.sort((a, b) => b.count - a.count)[0];
}

/** @param path Of the value: empty for the cell; that of messages in it begins with a `/`. */
function collect(value: unknown, path: string, found: Map<string, object[]>): void {
  if (typeof value !== 'object' || value === null || path.split('.').length > depthMax) return;
  const inside = Object.values(value).filter(isMessage);
  const add = (key: string, messages: readonly object[]) => found.set(key, [...(found.get(key) ?? []), ...messages]);
  if (path === '' && isMessage(value)) add('', [value]);
  else if (inside.length > 0) add(`/${path || '$'}`, inside);
  else if (!Array.isArray(value))
    for (const [key, one] of Object.entries(value)) if (/^\w+$/.test(key)) collect(one, `${path || '$'}.${key}`, found);
}

const singleKeys = (object: object): readonly string[] =>
  Object.entries(object).flatMap(([key, value]) => (typeof value === 'object' || !/^\w+$/.test(key) ? [] : [key]));

/** Whether an object has a text, and says who wrote it. */
function isMessage(value: unknown): value is object {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const keys = singleKeys(value);
  return textKey(keys) !== undefined && columnsNamed(keys, `${aliases.message.author} role`).length > 0;
}

const textKey = (keys: readonly string[]): string | undefined => columnsNamed(keys, aliases.message.text)[0];

/** A query with a row for each message. */
export function unfold(table: TableFacts, graph: Graph): readonly Reading[] {
  const split = splitAnswers(table);
  // A prompt repeats what was said before.
  const folded = split.length > 0 ? undefined : findFolded(table);
  return folded ? [unfoldCells(table, folded, graph)] : split;
}

function unfoldCells(table: TableFacts, { column, path, keys, hasTime }: Folded, graph: Graph): Reading {
  const cell = `CASE WHEN json_valid(m.${quoted(column.name)}) THEN m.${quoted(column.name)} END`;
  const text = textKey(keys)!;
  const links = graph.best(table).map((edge) => edge.column);
  // The row of a conversation adds only the columns that its messages need.
  const isNeeded = (one: ColumnFacts) =>
    one !== column &&
    (path === undefined || one === table.key || links.includes(one) || (!hasTime && one.shape === 'time'));
  const own = table.columns.filter(isNeeded).flatMap(({ name }) => {
    const isKey = path !== undefined && name === table.key?.name;
    const called = isKey ? `${singular(lastWord(table.name))}_id` : name;
    return keys.includes(called) ? [] : [`m.${quoted(name)} AS ${quoted(called)}`];
  });
  const nameOf = (key: string) => (path !== undefined && key === table.key?.name ? `message_${key}` : key);
  const inside = keys.map((key) => `j.value ->> ${sqlText(`$.${key}`)} AS ${quoted(nameOf(key))}`);
  const each = path === undefined ? `json_each('[' || ${cell} || ']')` : `json_each(${cell}, ${sqlText(path)})`;
  const broken = keys.map((key) => `${key === text ? `m.${quoted(column.name)}` : 'NULL'} AS ${quoted(nameOf(key))}`);
  const from = `FROM ${tableInQuery(table)} m`;
  // A cell that is cut off holds messages too: its words arrive as they are.
  const query =
    `SELECT ${[...own, ...inside].join(', ')} ${from}, ${each} j WHERE j.value ->> ${sqlText(`$.${text}`)} IS NOT NULL ` +
    `UNION ALL SELECT ${[...own, ...broken].join(', ')} ${from} WHERE NOT json_valid(m.${quoted(column.name)})`;
  const where = path === undefined ? `the JSON in "${column.name}"` : `the messages inside of "${column.name}"`;
  return { value: { query }, because: `${where}; without those that have no "${text}"` };
}

const answers = /(?:^|_)(?:answer|response|reply|completion|output)$|^(?:bot|ai|assistant|gpt|model)_?\w*$/i;
const questions = /^(?:user_?)?(?:question|query|prompt|input|request|message|text|content|body)$/i;

/** Rows of what a person asked and what a model answered. */
function splitAnswers(table: TableFacts): readonly Reading[] {
  const { columns, key } = table;
  const texts = columns.filter(
    ({ shape, profile, isFilled }) => isFilled && shape === 'text' && profile.texts.some((one) => /\s/.test(one)),
  );
  const [answer, question] = [answers, questions].map((names) => texts.find(({ name }) => names.test(name)));
  const names = columns.map(({ name }) => name);
  if (!key || !question || !answer || names.includes('role')) return [];
  const left = columnsNamed(names, aliases.message.text);
  const others = columns.filter((one) => one !== key && one !== question && one !== answer && !left.includes(one.name));
  const selects = [['user', question] as const, ['assistant', answer] as const].map(
    ([role, { name }]) =>
      `SELECT ${sqlText(`${name}:`)} || ${quoted(key.name)} AS ${quoted(key.name)}, ` +
      [...others.map((one) => quoted(one.name)), `${sqlText(role)} AS role`, `${quoted(name)} AS text`].join(', ') +
      ` FROM ${tableInQuery(table)}`,
  );
  const times = columns.filter(({ shape }) => shape === 'time').map(({ name }) => name);
  const time = columnsNamed(times, aliases.message.time)[0] ?? times[0];
  const order = time === undefined ? '' : ` ORDER BY ${quoted(time)}, role DESC`;
  const because = `two messages of each row: "${question.name}" of the person, and "${answer.name}" of the model`;
  return [{ value: { query: selects.join(' UNION ALL ') + order }, because }];
}
