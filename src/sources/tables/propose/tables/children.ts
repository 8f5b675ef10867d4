import { aliases, withNames } from '../aliases.ts';
import { isYes } from '../../bind/value.ts';
import { count, type Draft, mostly } from '../columns.ts';
import type { ColumnFacts, TableFacts } from '../graph/facts.ts';
import { askWhatIsGone } from './gone.ts';
import type { Graph } from '../graph/graph.ts';
import type { TableGroup } from '../graph/groups.ts';
import { isUsed, type Link, linksTo } from '../graph/links.ts';
import { isOfVersions, textColumns } from '../graph/roles.ts';
import { quoted, sqlText, tableInQuery } from './sql.ts';
import { proposeMembers } from './members.ts';
import { choose } from './tables.ts';

/** Proposes tables whose rows belong to messages or conversations: members, files, reactions, edits. Asks about any other such table. */
export function proposeChildren(
  graph: Graph,
  groups: readonly TableGroup[],
  { messages, conversations }: { readonly messages: TableGroup; readonly conversations: TableGroup | undefined },
  draft: Draft,
): void {
  proposeMembers(graph, groups, { messages, conversations }, draft);
  const links = linksTo(messages, graph, groups, draft);
  const left: Link[] = [];
  for (const link of links) {
    const kind = recognise(link, graph, groups);
    if (kind === undefined || draft.at(`tables.${kind.name}`) !== undefined) left.push(link);
    else propose(link, kind, groups, draft);
    if (kind && draft.at(`tables.${kind.name}`) !== undefined) askWhatIsGone(kind.name, link.table, draft);
  }
  const isNamed = ({ table }: Link) => isUsed(table, draft);
  askAbout(
    left.filter((link) => !isNamed(link)),
    draft,
  );
}

type Kind =
  | {
      readonly name: 'attachments' | 'reactions' | 'edits';
      readonly columns: Readonly<Record<string, string>>;
      readonly query?: string;
    }
  | undefined;

const fileColumns = {
  url: 'url fileurl attachmenturl downloadurl externalurl imageurl mediaurl publicurl link href src location path filepath file',
  name: 'filename originalname originalfilename clientname name title',
  type: 'contenttype mimetype mediatype mime filetype type',
  size: 'bytesize filesize sizebytes bytecount size length',
  id: 'fileid attachmentid id',
  order: 'position sortorder ordinal sequence idx index sort',
} as const;

function recognise(link: Link, graph: Graph, groups: readonly TableGroup[]): Kind {
  const { table } = link;
  const person = findPerson(table, link, graph);
  const emoji = findEmoji(table);
  if (emoji && person) {
    return { name: 'reactions', columns: { user: person, emoji: emoji.name } };
  }
  if (isOlderVersion(table)) {
    const times = table.columns.filter(({ shape, isFilled }) => shape === 'time' && isFilled);
    const [time] = withNames(times, `editedat ${aliases.message.time}`);
    return time ? { name: 'edits', columns: { time: time.name } } : undefined;
  }
  const linked = joined(link, graph, groups);
  if (linked) return linked;
  const own = findFileParts(table, link);
  return own && { name: 'attachments', columns: own };
}

/** The column that names a person: by a reference, else by ids that are all those of the only table of people. */
function findPerson(table: TableFacts, { message }: Link, graph: Graph): string | undefined {
  const edge = graph.best(table).find(({ to }) => graph.isPeople(to));
  if (edge) return edge.column.name;
  const [people, ...others] = graph.people;
  if (!people?.key || others.length > 0) return undefined;
  const isOf = ({ name, ids }: ColumnFacts) =>
    name !== message.name && /[_a-z]id$/i.test(name) && ids.size > 0 && [...ids].every((id) => people.key!.ids.has(id));
  return table.columns.find(isOf)?.name;
}

function findEmoji({ columns }: TableFacts): ColumnFacts | undefined {
  const named = withNames(columns, `${aliases.message.reaction} emojiname emojicode content`);
  return named.find(
    ({ name, profile }) =>
      mostly(profile, (text) => text.length <= 32 && !/^https?:/.test(text)) &&
      (/emoji|reaction/i.test(name) || profile.texts.some((text) => /\p{Extended_Pictographic}/u.test(text))),
  );
}

const isOlderVersion = (table: TableFacts): boolean => isOfVersions(table) && textColumns(table).length > 0;

/** Which columns of a table describe a file; nothing without an address or a name. */
function findFileParts(
  table: TableFacts,
  { message, only, isJoined = false }: Pick<Link, 'message' | 'only'> & { readonly isJoined?: boolean },
): Record<string, string> | undefined {
  const free = table.columns.filter(
    ({ name, shape }) => name !== message.name && !Object.hasOwn(only ?? {}, name) && shape !== 'empty',
  );
  const parts = Object.entries(fileColumns).flatMap(([part, list]) => {
    // A path inside a store is no address.
    const fit = free.filter(
      ({ profile }) => part !== 'url' || mostly(profile, (text) => /^(?:[a-z][a-z\d+.-]*:)?\/\//i.test(text)),
    );
    const [found] = withNames(fit, list);
    return found ? [[part, found.name] as const] : [];
  });
  const found = Object.fromEntries(parts);
  const isNamed =
    found.name !== undefined && (isJoined || fileTables.test(table.name) || (found.type ?? found.size) !== undefined);
  const isFile = found.url !== undefined || isNamed;
  return isFile ? found : undefined;
}

/** Names of tables that describe files. */
const fileTables = /file|attach|blob|upload|object|media|document|asset|image|anhang/i;

/** A table that links messages with files: the files are joined to it. */
function joined(link: Link, graph: Graph, groups: readonly TableGroup[]): Kind {
  for (const { to, column } of graph.best(link.table)) {
    const file = groups.find((group) => group === to);
    const parts =
      file && fileTables.test(file.name) && !graph.isPeople(file)
        ? findFileParts(file, { message: file.key!, isJoined: true })
        : undefined;
    if (file && parts) {
      const named = Object.entries(parts).filter(([part]) => part !== 'id');
      const columns = named.map(([, name]) => `file.${quoted(name)}`);
      const where = Object.entries(link.only ?? {}).map(
        ([name, words]) => ` WHERE link.${quoted(name)} IN (${words.map(sqlText).join(', ')})`,
      );
      const query =
        `SELECT link.${quoted(link.message.name)}, ${columns.join(', ')} FROM ${tableInQuery(link.table)} link ` +
        `JOIN ${tableInQuery(file)} file ON file.${quoted(file.key!.name)} = link.${quoted(column.name)}${where.join('')}`;
      return { name: 'attachments', columns: Object.fromEntries(named), query };
    }
  }
  return undefined;
}

function propose(
  link: Link,
  { name, columns, query }: NonNullable<Kind>,
  groups: readonly TableGroup[],
  draft: Draft,
): void {
  const { table, message, only } = link;
  const because = `"${message.name}" names messages; ${count(table.sample.rows.length)} rows`;
  if (query === undefined) choose(name, table, groups, draft, because);
  else draft.choose(`tables.${name}`, { value: { query }, because });
  draft.choose(`${name}.message`, { value: message.name, because });
  for (const [part, column] of Object.entries(columns)) {
    draft.choose(`${name}.${part}`, { value: column, because: `"${column}" of "${table.name}"` });
  }
  if (only && query === undefined) {
    draft.choose(`${name}.only`, { value: only, because: 'the other rows belong to something else' });
  }
}

/** Describes what is lost if these tables are ignored, as far as their columns show. */
function whyIgnored(left: readonly Link[]): string {
  const marks = left.flatMap(({ table }) =>
    table.columns.flatMap(({ name, profile }) => {
      const rows = /delet|trash|hid|remov/i.test(name) ? profile.texts.filter(isYes).length : 0;
      return rows === 0 ? [] : [`"${name}" of "${table.name}" in ${count(rows)} of ${count(profile.rowCount)} rows`];
    }),
  );
  return marks.length > 0
    ? `if its content need not be migrated, and messages that are deleted there are sent: ${marks.join(', ')}`
    : 'if its content need not be migrated';
}

/** Named like marks of reading or liking or like notifications, and nothing in it but ids, words, times and flags. */
const isOfReads = ({ name, columns }: TableFacts): boolean =>
  /(?:reads?|seen(?:_?by)?|receipts?|readby|likes?|favou?rites?|bookmarks?|stars?|notifications?)$/i.test(name) &&
  columns.every(({ shape, name: column }) => shape !== 'text' && shape !== 'json' && !/delet|trash|hid/i.test(column));

/** Rows that name messages and are read as nothing: reads have no place at the destination, anything else is asked about. */
function askAbout(left: readonly Link[], draft: Draft): void {
  if (left.length === 0) return;
  const files = left.flatMap(({ table }) => table.paths);
  if (left.every(({ table }) => isOfReads(table))) {
    const because = `marks of who has read or liked what have no place at the destination: ${left.map(({ table }) => `"${table.name}"`).join(', ')}`;
    draft.choose('tables.ignored', { value: files, because });
    return;
  }
  const said = draft.at('tables.ignored');
  const known = Array.isArray(said) ? said.map(String) : [];
  if (files.every((file) => known.includes(file))) return;
  const shown = left.map(
    ({ table, message }) => `"${table.name}" (${count(table.sample.rows.length)} rows, "${message.name}")`,
  );
  draft.choose('tables.ignored', {
    because: `${shown.join(', ')} name messages, and nothing is read of them`,
    alternatives: [{ value: files, because: whyIgnored(left) }],
    isRequired: true,
  });
}
