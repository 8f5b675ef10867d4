import { valueText } from '../../bind/value.ts';
import { aliases, withNames } from '../aliases.ts';
import { distinct } from '../columns.ts';
import { type Candidate, candidate } from '../evidence.ts';
import { isRole } from '../model-roles.ts';
import { type ColumnFacts, isNameOf, lastWord, letters, type TableFacts } from './facts.ts';
import { findFolded } from '../tables/folded.ts';
import type { Edge, Graph } from './graph.ts';
import { idsOf, type TypedReference, typedReferences } from './parties.ts';
import { namesOtherPerson, namesPerson } from './people.ts';

/** A table that says of conversations who is a member there. */
export interface Membership {
  readonly table: TableFacts;
  /** The person as a mapping says it: a column, or the template of a type and an id. */
  readonly user: unknown;
  readonly because: string;
  /** The column that names the conversation. */
  readonly room: ColumnFacts;
}

const messageNames = /(?:message|msg|nachricht|mensaje)s?$/;
const otherNames =
  /draft|template|canned|log$|logs$|session|revision|edit|histor|schedul|notification|search|webhook|job|migration|token|queue|faq|setting|version|event|failed|import|export/;

/** Share of the messages that have a time: a few may have lost it. */
const timeShare = 0.9;

/** Returns every table that has texts and times, in itself or in a table of texts, and every one that looks like messages without texts. */
export function messageCandidates(graph: Graph): readonly Candidate<TableFacts>[] {
  const found = graph.tables.flatMap((table): Candidate<TableFacts>[] => {
    if (graph.isPeople(table)) return [];
    const edges = graph.best(table);
    const hasAuthor = namesAuthor(table, graph);
    const hasPlace =
      edges.some((edge) => !graph.isPeople(edge.to) && edge.to !== table && !isOwnMessage(edge, graph)) ||
      namesRoom(table) ||
      roomBeside(table, graph) !== undefined;
    const isElsewhere =
      hasAuthor &&
      (textsFor(table, graph).length > 0 ||
        textsByType(table, graph).length > 0 ||
        typedTexts(table, graph).some(({ table: of }) => !namesAuthor(of, graph)));
    const folded = findFolded(table);
    const hasText = textColumns(table).length > 0 || isElsewhere || folded !== undefined;
    const hasTime =
      folded?.hasTime === true ||
      table.columns.some(
        ({ shape, profile }) => shape === 'time' && profile.texts.length >= profile.rowCount * timeShare,
      );
    const namedMessages = isNamedMessages(table);
    if (!hasTime || !(hasText || (namedMessages && hasAuthor && hasPlace))) return [];
    const namedOtherThan = otherNames.test(table.name.toLowerCase());
    return [candidate(table, { hasText, hasTime, hasAuthor, hasPlace, namedMessages, namedOtherThan })];
  });
  // With equal points, messages name their conversation; a table that names only people may hold notices.
  const names = (one: TableFacts, other: TableFacts) => graph.best(one).some(({ to }) => to === other);
  const isBefore = (one: Candidate<TableFacts>, other: Candidate<TableFacts>) =>
    names(one.value, other.value) ||
    (one.evidence.includes('hasPlace') && !other.evidence.includes('hasPlace') && !names(other.value, one.value));
  const ranked = found.sort((a, b) => b.points - a.points || Number(isBefore(b, a)) - Number(isBefore(a, b)));
  // A table that belongs to messages of another table holds parts of them: older versions, notes, ratings.
  const isPart = (table: TableFacts) =>
    graph
      .best(table)
      .some(
        ({ to, isNamed }) =>
          isNamed &&
          to !== table &&
          !graph.isPeople(to) &&
          ranked.some(({ value }) => value === to) &&
          (pointsOf(ranked, to) > pointsOf(ranked, table) || (isNamedMessages(to) && !isNamedMessages(table))),
      );
  return ranked.filter(({ value }) => !isPart(value));
}

/** Whether each row names a row that names it in turn, as a conversation names its first and its last message. */
const isOwnMessage = ({ from, to, column }: Edge, graph: Graph): boolean =>
  column.ids.size === column.profile.texts.length && graph.best(to).some((edge) => edge.to === from);

/** Two words at least in a third of the rows, a time, and two columns of people. */
export function isLikeMessages(table: TableFacts, graph: Graph): boolean {
  const edges = new Map(graph.best(table).map((edge) => [edge.column.name, edge]));
  const namesOne = ({ name, shape }: ColumnFacts) => {
    const edge = edges.get(name);
    // `recipient_id` may name a row of `recipients`, and `reply_to` a message.
    // A login in the same row as an id says the same of one person.
    const isLogin =
      edge && edge.key !== edge.to.key && [...edges.values()].some(({ to, key }) => to === edge.to && key === to.key);
    return edge
      ? graph.isPeople(edge.to) && !isReply(name) && !isLogin
      : isId(shape) && namesPerson(name) && !isReply(name);
  };
  const isWritten = ({ shape, profile: { texts } }: ColumnFacts) =>
    shape === 'text' && texts.filter((text) => /\S\s+\S/.test(text)).length * 3 >= texts.length;
  const { columns } = table;
  return columns.filter(namesOne).length > 1 && columns.some(isTime) && columns.some(isWritten);
}

/** The subject of conversations, such as the listing that each names, or a row for each of them: an order. */
export function isOfRoom(table: TableFacts, room: TableFacts, graph: Graph): boolean {
  if (table === room || graph.isPeople(room)) return false;
  const isNamed = graph.best(room).some(({ to }) => to === table);
  return isNamed || graph.best(table).some(({ to, column }) => to === room && hasNoneTwice(column));
}

const hasNoneTwice = ({ profile: { texts } }: ColumnFacts): boolean =>
  texts.length > 1 && new Set(texts).size === texts.length;

const isReply = (name: string): boolean => /repl(?:y|ied)|answer|parent|quote/i.test(name);

export const isOfVersions = ({ name }: TableFacts): boolean => /version|revision|edit|histor/i.test(name);

/** A table of texts that a type and an id name: `entryable_type` is `Message` or `Comment`. */
export interface TypedText extends TypedReference {
  readonly word: string;
  readonly table: TableFacts;
}

export const typedTexts = (table: TableFacts, graph: Graph): readonly TypedText[] =>
  typedReferences(table).flatMap((reference) =>
    distinct(reference.type.profile).flatMap((word) =>
      graph.tables
        .filter((one) => one !== table && one.key && !graph.isPeople(one) && isNameOf(word, one) && holdsTexts(one))
        .map((one) => ({ ...reference, word, table: one })),
    ),
  );

/** A table of texts of any table: its type and its id name the row of a message, or what that names in the same way. */
interface TextsByType {
  readonly table: TableFacts;
  readonly by: TypedReference;
  readonly own: TypedReference | undefined;
  readonly word: string;
}

/** Such tables that have one text for nearly every message: `record_type` and `record_id` of rich texts. */
export const textsByType = (table: TableFacts, graph: Graph): readonly TextsByType[] =>
  graph.tables
    .filter((one) => one !== table && !graph.isPeople(one) && holdsTexts(one) && !namesAuthor(one, graph))
    .flatMap((one) =>
      typedReferences(one).flatMap((by): TextsByType[] => {
        const words = distinct(by.type.profile);
        const all = words.map((word) => idsOf(one, by, word));
        const has = (word: string, ids: ReadonlySet<string>) =>
          [...ids].filter((id) => all[words.indexOf(word)]?.has(id)).length >= Math.max(1, ids.size * besideShare);
        const isOneFor = all.reduce((sum, { size }) => sum + size, 0) === one.sample.rows.length;
        const own = typedReferences(table).find((reference) =>
          distinct(reference.type.profile).every((word) => has(word, idsOf(table, reference, word))),
        );
        const word = words.find((named) => isNameOf(named, table) && table.key && has(named, table.key.ids));
        return isOneFor && (own || word !== undefined) ? [{ table: one, by, own, word: word ?? '' }] : [];
      }),
    );

const isNamedMessages = ({ name }: TableFacts): boolean =>
  messageNames.test(lastWord(name)) || /(?:message|msg)/.test(lastWord(name));

/**
 * Tables of texts whose rows name those of a table that has none itself: contents, versions, blocks. A row with an author of its own is an
 * answer.
 */
export const textsFor = (table: TableFacts, graph: Graph): readonly Edge[] =>
  graph
    .to(table)
    .filter(
      (edge) =>
        edge.from !== table &&
        !graph.isPeople(edge.from) &&
        graph.best(edge.from).includes(edge) &&
        !/last|first|latest/i.test(edge.column.name) &&
        holdsTexts(edge.from) &&
        (!namesAuthor(edge.from, graph) || isOfVersions(edge.from)),
    );

const pointsOf = (ranked: readonly Candidate<TableFacts>[], table: TableFacts) =>
  ranked.find(({ value }) => value === table)?.points ?? 0;

/** Returns columns with text written by people, the longest first. */
export function textColumns({ columns }: TableFacts): readonly ColumnFacts[] {
  const named = new Set(withNames(columns, aliases.message.text));
  const length = ({ profile: { texts } }: ColumnFacts) =>
    texts.reduce((sum, text) => sum + text.length, 0) / Math.max(1, texts.length);
  return columns
    .filter(
      (column) =>
        column.shape === 'text' || (named.has(column) && (column.shape === 'word' || column.shape === 'json')),
    )
    .sort((a, b) => length(b) - length(a));
}

const isId = (shape: ColumnFacts['shape']): boolean => shape === 'number' || shape === 'long-id' || shape === 'word';

/** Whether a column says who wrote: a reference to people, a type and an id of them, or an id under the name of one. */
function namesAuthor(table: TableFacts, graph: Graph): boolean {
  const isOfPeople = ({ name, type }: TypedReference) =>
    namesPerson(name) || distinct(type.profile).some((word) => graph.people.some((one) => isNameOf(word, one)));
  return (
    graph.best(table).some(({ to }) => graph.isPeople(to)) ||
    table.columns.some(({ profile }) => isRole(profile)) ||
    typedReferences(table).some(isOfPeople) ||
    table.columns.some(({ name, shape }) => isId(shape) && namesPerson(name) && !namesOtherPerson(name))
  );
}

/** Whether a column is named as one of conversations, or of whoever received a message. */
export const namesRoom = ({ columns }: TableFacts): boolean =>
  columns.some(
    ({ name, shape }) =>
      shape !== 'empty' &&
      /^(?:.*(?:conversation|channel|room|chat|thread|group|dialog|topic|ticket|recipient|receiver).*id|to|to.?user.?id|to.?id|recipient|receiver)$/i.test(
        name,
      ),
  );

/** A table whose rows name messages, with its column of their conversation, or else that of their recipients. */
export interface RoomBeside {
  readonly link: Edge;
  readonly column: ColumnFacts;
  readonly isRoom: boolean;
}

/** Share of the messages that have rows there: who has reacted or read says it of some. */
const besideShare = 0.8;

/** The conversation of a message, if its own row does not say it: a row of another table for each recipient names the conversation, or only them. */
export function roomBeside(table: TableFacts, graph: Graph): RoomBeside | undefined {
  const isPlace = ({ to, from }: Edge) =>
    to !== table &&
    to !== from &&
    !graph.isPeople(to) &&
    (/conv|room|channel|thread|group|chat|dialog|topic|ticket/i.test(to.name) || memberships(graph, to).length > 0);
  if (!table.key || graph.isPeople(table) || namesRoom(table) || graph.best(table).some(isPlace)) return undefined;
  const { ids } = table.key;
  // A table of fewer rows than texts of people that name them holds conversations, and their people are members.
  const isAnswered = graph
    .to(table)
    .some(
      ({ from, column }) =>
        from !== table &&
        holdsTexts(from) &&
        namesAuthor(from, graph) &&
        column.profile.texts.length > table.sample.rows.length,
    );
  const found = graph.to(table).flatMap((link): RoomBeside[] => {
    const { from, column: message } = link;
    const shared = [...ids].filter((id) => message.ids.has(id)).length;
    const isBeside = from !== table && graph.best(from).includes(link) && !graph.isPeople(from) && !holdsTexts(from);
    if (!isBeside || graph.best(table).some(({ to }) => to === from)) return [];
    const places = new Set(graph.best(from).flatMap((edge) => (isPlace(edge) ? [edge.column] : [])));
    const people = graph.best(from).flatMap(({ column, to }) => (graph.isPeople(to) ? [column] : []));
    const isOther = (column: ColumnFacts) => column !== message && !people.includes(column) && isId(column.shape);
    const room = from.columns.find(
      (column) =>
        (places.has(column) || (isOther(column) && namesRoom({ ...from, columns: [column] }))) &&
        isOneFor(message, column, from),
    );
    if (room) return [{ link, column: room, isRoom: true }];
    const person = people.find((column) => !isOneFor(message, column, from)) ?? people[0];
    const isOfAll = !isAnswered && shared >= ids.size * besideShare && !otherThanMembers.test(from.name.toLowerCase());
    return person && isOfAll ? [{ link, column: person, isRoom: false }] : [];
  });
  return found.find(({ isRoom }) => isRoom) ?? found[0];
}

const isTime = ({ shape }: ColumnFacts): boolean => shape === 'time';

/** Whether all rows with one value of a column have one value of another. */
function isOneFor(one: ColumnFacts, other: ColumnFacts, { sample }: TableFacts): boolean {
  const known = new Map<unknown, unknown>();
  return sample.rows.every((row) => {
    const [key, value] = [one, other].map(({ name }) => valueText(row.get(name)));
    if (!known.has(key)) known.set(key, value);
    return known.get(key) === value;
  });
}

const memberNames = /member|particip|subscri|recipient|membership|roster|_to_|user/;
const otherThanMembers =
  /mention|like|reaction|seen|read|mute|ban|follow|bookmark|draft|favorite|favourite|star|notif|vote|pin|boost|block/;

/**
 * Tables that name people and conversations, and whose rows say nothing more than who belongs where; the likeliest first.
 *
 * @param column By which messages name conversations that have no table.
 */
export function memberships(
  graph: Graph,
  conversations: TableFacts | undefined,
  column?: ColumnFacts,
): readonly Candidate<Membership>[] {
  const found = graph.tables.flatMap((table): Candidate<Membership>[] => {
    if (table === conversations || graph.isPeople(table)) return [];
    const name = table.name.toLowerCase();
    const namedMembers = memberNames.test(name);
    const room = conversations
      ? [...graph.best(table), ...graph.possible(table)].find(({ to }) => to === conversations)?.column
      : column && table.columns.find((one) => letters(one.name) === letters(column.name) && hasAll(one, column));
    const isUsed = graph
      .to(table)
      .some(({ from }) => from !== table && from !== conversations && !graph.isPeople(from));
    const person = room && memberIn(graph, table, room);
    if (!room || !person || ((isUsed || holdsTexts(table)) && !membersAlone.test(name))) return [];
    const namedOtherThan = otherThanMembers.test(name);
    return [candidate({ table, room, ...person }, { namesBoth: true, namedMembers, namedOtherThan })];
  });
  return found.sort((a, b) => b.points - a.points);
}

const membersAlone = /member|particip|subscri|roster/;

const hasAll = ({ ids }: ColumnFacts, column: ColumnFacts): boolean =>
  [...column.ids].filter((id) => ids.has(id)).length >= column.ids.size * 0.9;

/** The person of a row: a reference, or a type and an id. Who made or invited a member is none. */
function memberIn(
  graph: Graph,
  table: TableFacts,
  room: ColumnFacts,
): Pick<Membership, 'user' | 'because'> | undefined {
  const [typed] = typedReferences(table).filter(({ type, id }) => id !== room && new Set(type.profile.texts).size > 1);
  if (typed && membersAlone.test(table.name.toLowerCase()))
    return {
      user: { template: `{${typed.type.name}}:{${typed.id.name}}` },
      because: `"${typed.type.name}" says which table it is an id of`,
    };
  const people = graph.best(table).filter(({ to, column }) => graph.isPeople(to) && column !== room);
  const person =
    people.find(({ column }) => !namesOtherPerson(column.name) && !/creat|added|(?:^|_)by(?:_|$)/i.test(column.name)) ??
    people.find(({ column }) => !namesOtherPerson(column.name)) ??
    (people.length === 1 ? people[0] : undefined);
  return person && { user: person.column.name, because: `names "${person.to.name}"` };
}

export const holdsTexts = (table: TableFacts): boolean =>
  textColumns(table).some(({ shape, profile }) => shape === 'text' && profile.texts.some((text) => /\s/.test(text)));
