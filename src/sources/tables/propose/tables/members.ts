import { isDeepStrictEqual } from 'node:util';
import type { Reading } from '../../../table-source.ts';
import { splitElements } from '../../bind/lists.ts';
import { markedKeys } from '../../bind/people.ts';
import { valueText } from '../../bind/value.ts';
import { pathStep, valueAt } from '../../row.ts';
import { aliases, withNames } from '../aliases.ts';
import { count, type Draft, distinct, isFlag } from '../columns.ts';
import type { ColumnFacts, TableFacts } from '../graph/facts.ts';
import type { Edge, Graph } from '../graph/graph.ts';
import type { TableGroup } from '../graph/groups.ts';
import { isNameOf } from '../graph/facts.ts';
import { type Membership, memberships } from '../graph/roles.ts';
import { namesOtherPerson } from '../graph/people.ts';
import { describeValues, repeats, rowReadings, valuesMax } from '../which-rows.ts';
import { namesWhoOrWhen, readFlag, splitWords } from '../../../../model/visibility-words.ts';
import { chooseTime } from './people.ts';
import { choose, decidedTable, fileOf } from './tables.ts';
import { templatedRooms } from './templated-rooms.ts';

interface Place {
  readonly messages: TableGroup;
  readonly conversations: TableGroup | undefined;
}

/** Proposes who belongs to a conversation: the rows of a table, a list in its own row, or people whom columns of that name. */
export function proposeMembers(graph: Graph, groups: readonly TableGroup[], place: Place, draft: Draft): void {
  if (draft.at('conversations.members') !== undefined) return;
  const { messages, conversations } = place;
  const said = decidedTable('members', groups, draft);
  const isSaid = draft.at('tables.members') !== undefined;
  const room = roomColumn(messages, draft);
  const areTyped = authorType(draft) !== undefined;
  const isProven = (value: Membership, points: number) =>
    points >= 6 || holdsAuthors(value, place, { graph, messages, draft });
  const found = memberships(graph, conversations, room).filter(
    ({ value, points }) =>
      (isSaid
        ? value.table === said
        : value.table !== messages && (isProven(value, points) || isOfMost(value, place))) &&
      (typeof value.user === 'string' || areTyped),
  );
  const [best, next] = found;
  if (best && (isSaid || best.points >= 4)) {
    const isAhead = isProven(best.value, best.points) && (next === undefined || next.points <= best.points - 2);
    if (isSaid || isAhead) bindMembers(best.value, graph, place, draft, groups);
    else
      askForTable(
        found.map(({ value }) => value.table as TableGroup),
        draft,
      );
  } else if (!isSaid && conversations) {
    proposeOwnMembers(graph, { messages, conversations }, draft);
  }
}

function askForTable(tables: readonly TableGroup[], draft: Draft): void {
  draft.choose('tables.members', {
    because: 'a person and a conversation in each row: are these its members?',
    alternatives: tables.slice(0, readingsMax).map((table) => ({ value: fileOf(table), because: `"${table.name}"` })),
  });
}

/** Whether most conversations have rows there, and no person comes twice: people react, pay and send files more than once. */
const isOfMost = (membership: Membership, { conversations }: Place): boolean =>
  membership.room.ids.size * 2 > (conversations?.key?.ids.size ?? 0) &&
  pairsIn(membership).size >= membership.table.sample.rows.length * 0.9;

/** Whether nearly everybody who wrote in a conversation is among its people there. */
function holdsAuthors(membership: Membership, { messages, conversations }: Place, around: Around): boolean {
  const pairs = pairsIn(membership);
  const wrote = [...authorsByRoom(messages, conversations, around)].flatMap(([id, authors]) =>
    [...authors].map((author) => JSON.stringify([id, author])),
  );
  return wrote.length > 1 && wrote.filter((pair) => pairs.has(pair)).length >= wrote.length * 0.9;
}

/** The column by which messages name their conversation. */
const roomColumn = ({ columns }: TableFacts, draft: Draft): ColumnFacts | undefined =>
  columns.find(({ name }) => name === draft.at('messages.conversation'));

function bindMembers(
  { table, user, because, room }: Membership,
  graph: Graph,
  { messages, conversations }: Place,
  draft: Draft,
  groups: readonly TableGroup[],
): void {
  const group = table as TableGroup;
  choose('members', group, groups, draft);
  const value = conversations ? asConversation(room.name, conversations, { graph, messages, draft }) : room.name;
  draft.choose('members.conversation', { value, because: `names "${conversations?.name ?? 'conversations'}"` });
  draft.choose('members.user', { value: user, because });
  proposeRole(table, draft);
  const joined = withNames(table.columns, aliases.member.joinedAt).filter(({ name }) => name !== room.name);
  chooseTime(
    draft,
    'members.joinedAt',
    joined.flatMap(({ profile }) => (profile.texts.length > 0 ? [profile] : [])),
  );
  // Rows for each message and person say who has received that message, or deleted it.
  const pairs = pairsIn({ table, user, room });
  const isOfMessages = graph.from(table).some(({ to }) => to === messages);
  if (!isOfMessages || pairs.size > table.sample.rows.length * 0.9) askWhoLeft(group, draft);
}

/** Words for rights in a conversation. */
const scopes: readonly (readonly [scope: string, words: RegExp])[] = [
  ['owner', /^(?:owner|creator|founder)$/i],
  ['admin', /^(?:administrator|admin)$/i],
  ['moderator', /^(?:moderator|mod)$/i],
  ['member', /^(?:member|user|participant)$/i],
];

/** Proposes the rights of members: by the words of a column, or by a flag that says who is an admin. */
function proposeRole({ columns, name: table }: TableFacts, draft: Draft): void {
  const words = columns.filter(({ shape }) => shape === 'word');
  const [role] = withNames(words, aliases.member.role);
  const flags = columns.filter(({ profile }) => profile.texts.length > 0 && isFlag(profile));
  const [admin] = withNames(flags, aliases.member.isAdmin);
  const [column, translate] = role
    ? [role, (word: string) => scopes.find(([, words]) => words.test(word))?.[0]]
    : [admin, (word: string) => (readFlag(word) ? 'admin' : 'member')];
  if (!column) return;
  const values = distinct(column.profile).flatMap((word) => {
    const scope = translate(word);
    return scope === undefined ? [] : [[word, scope] as const];
  });
  const isPlain = values.every(([word, scope]) => word === scope);
  const value = isPlain ? column.name : { from: column.name, values: Object.fromEntries(values) };
  draft.choose('members.role', { value, because: `"${column.name}" of "${table}"` });
}

/** The people of each conversation, as a table says them. */
function pairsIn({ table, user, room }: Pick<Membership, 'table' | 'user' | 'room'>): ReadonlySet<string> {
  const template = typeof user === 'string' ? `{${user}}` : (user as { readonly template: string }).template;
  return new Set(table.sample.rows.map((row) => JSON.stringify([idIn(row, room), filledIn(template, row)])));
}

interface Around {
  readonly graph: Graph;
  readonly messages: TableFacts;
  readonly draft: Draft;
}

/** Returns the id of a conversation as messages write it: `group:{id}` if they use `group:{group_id}`. */
export function asConversation(column: string, table: TableFacts, { graph, messages, draft }: Around): unknown {
  const found = templatedRooms(messages, draft, graph).find(({ to }) => to === table);
  return found ? { template: found.template.replace(`{${found.name}}`, `{${column}}`) } : column;
}

/** A person whom a column of a conversation names, as messages write it: `{buyer_id}` or `buyer:{buyer_id}`. */
interface OwnMember {
  readonly template: string;
  readonly column: ColumnFacts;
  readonly to: TableFacts;
  /** Share of the conversations that have one in which that person wrote. */
  readonly wrote: number;
}

/** A list of people in a row of conversations, or the columns of it that name people: the two of an order, who asks and who helps. */
function proposeOwnMembers(
  graph: Graph,
  { messages, conversations }: Required<Place> & { readonly conversations: TableGroup },
  draft: Draft,
): void {
  const list = listOfPeople(graph, { messages, conversations }, draft);
  if (list !== undefined) {
    draft.choose('conversations.members', { value: list, because: `"${list}" lists people` });
    return;
  }
  const authors = authorsByRoom(messages, conversations, { graph, messages, draft });
  const all = ownMembers(conversations, authors, { graph, messages, draft });
  const sure = all.filter(({ column: { name }, wrote }) => !isHelper(name) && wrote >= 0.5);
  const others = all.filter((one) => !sure.includes(one));
  if (all.every(({ column }) => isCreator(column.name))) return;
  // Whatever else it names may be the other person.
  const namesMore = conversations.sample.declared?.references.some(({ column }) =>
    all.every((one) => one.column.name !== column),
  );
  if (all.length === 1 && namesMore) return;
  const templates = new Set(all.map(({ column }) => column.name));
  const isClear = templates.size === all.length && others.every(({ column }) => isCreator(column.name));
  if (!isClear) {
    askForMembers(all, sure, draft);
    return;
  }
  const shown = sure.map(({ column }) => `"${column.name}"`).join(' and ');
  const isPair =
    sure.length === 2 && sure.every(({ column }) => column.isFilled) && areAllBy(sure, conversations, authors);
  const because = isPair
    ? `${shown} are the two people, and nearly all authors are one of them`
    : `whom ${shown} names wrote in most conversations`;
  draft.choose('conversations.members', { value: listOf(sure), because });
  if (isPair) draft.choose('conversations.type', { value: { constant: 'direct' }, because });
}

const listOf = (members: readonly OwnMember[]) => ({
  from: { template: members.map(({ template }) => template).join(',') },
});

/** Combinations that are offered. */
const readingsMax = 4;

function askForMembers(all: readonly OwnMember[], sure: readonly OwnMember[], draft: Draft): void {
  const byColumn = [...Map.groupBy(all, ({ column }) => column.name).values()];
  const combined = byColumn.reduce<readonly (readonly OwnMember[])[]>(
    (lists, ways) => lists.flatMap((list) => ways.map((way) => [...list, way])).slice(0, readingsMax),
    [[]],
  );
  const shares = all.map(
    ({ column, to, wrote }) => `"${column.name}" of "${to.name}" wrote in ${count(Math.round(wrote * 100))} %`,
  );
  const readings = [...combined, ...(sure.length > 0 && sure.length < byColumn.length ? [sure] : [])];
  draft.choose('conversations.members', {
    because: `columns of conversations name people: ${shares.join(', ')}`,
    alternatives: [
      ...readings.map(
        (members): Reading => ({
          value: listOf(members),
          because: members.map(({ to, column }) => `"${column.name}" is of "${to.name}"`).join(', '),
        }),
      ),
      { value: { from: { constant: '' } }, because: 'nobody else may read along' },
    ],
    isRequired: true,
  });
}

/** Who helps, or was assigned: perhaps without ever having read a word. */
const isHelper = (name: string): boolean => namesOtherPerson(name);
const isCreator = (name: string): boolean => /creat|owner|started|opened/i.test(name);

/** None if a column names people whom messages do not: then these cannot be told apart from those. */
function ownMembers(conversations: TableFacts, authors: Authors, around: Around): readonly OwnMember[] {
  const { graph, messages, draft } = around;
  const { columns, key, sample } = conversations;
  const edges = graph
    .from(conversations)
    .filter(({ to, share }) => share >= 0.98 && graph.isPeople(to))
    .filter(({ column: { name } }) => !isHelper(name) || /assign/i.test(name));
  const people = graph.edgeOf(messages, draft.at('messages.author'))?.to;
  /** Under any name: its values are people, who wrote in most of the conversations. */
  const areAuthors = (column: ColumnFacts): boolean => {
    const rows = sample.rows.filter((row) => key && authors.has(idIn(row, key)));
    const wrote = rows.filter((row) => authors.get(idIn(row, key!))!.has(idIn(row, column)));
    const isTelling = column.isFilled && column.ids.size > 1 && rows.length > 2 && wrote.length * 2 > rows.length;
    return isTelling && column !== key && [...column.ids].every((id) => people?.key?.ids.has(id));
  };
  const isDeclared = ({ column }: Edge) =>
    sample.declared?.references.some((one) => one.column === column.name) ?? false;
  const found = columns.map((column) => {
    const own = edges.filter((edge) => edge.column === column);
    const named = (own.some(isDeclared) ? own.filter(isDeclared) : own).map(({ to }) => to);
    const tables = named.length === 0 && people && areAuthors(column) ? [people] : named;
    const members = tables.flatMap((to): OwnMember[] => {
      const template = asPerson(column.name, to, around);
      if (template === undefined || !key) return [];
      const rows = sample.rows.filter((row) => idIn(row, column) !== '' && authors.has(idIn(row, key)));
      const wrote = rows.filter((row) => authors.get(idIn(row, key))!.has(filledIn(template, row)));
      return [{ template, column, to, wrote: rows.length === 0 ? 0 : wrote.length / rows.length }];
    });
    // One id in several tables is one person: an account and its profile.
    const apart = members.filter(({ template }, at) => members.findIndex((one) => one.template === template) === at);
    return { members: apart, isUnknown: tables.length > 0 && members.length === 0 };
  });
  return found.some(({ isUnknown }) => isUnknown) ? [] : found.flatMap(({ members }) => members);
}

type SampleRow = TableFacts['sample']['rows'][number];
const idIn = (row: SampleRow, { name }: ColumnFacts): string => valueText(row.get(name)) ?? '';
const filledIn = (template: string, row: SampleRow): string =>
  template.replaceAll(/\{([^{}]+)\}/g, (_, name: string) => valueText(row.get(name)) ?? '');

/** The column that says of what table an author is, if ids are written behind it. */
const authorType = (draft: Draft): string | undefined =>
  /^\{([^{}]+)\}:\{[^{}]+\}$/.exec(String(draft.at('messages.author.template')))?.[1];

/** How messages write a person of a table: its id, or behind the word for the table if a type says which it is. */
function asPerson(column: string, to: TableFacts, { graph, messages, draft }: Around): string | undefined {
  const author = draft.at('messages.author');
  if (typeof author === 'string') {
    const file = draft.at('tables.users.file');
    const isOf =
      file === to.sample.path || graph.best(messages).some((edge) => edge.column.name === author && edge.to === to);
    return isOf ? `{${column}}` : undefined;
  }
  const type = authorType(draft);
  const words = messages.columns.find(({ name }) => name === type)?.profile;
  const word = words && distinct(words).find((one) => isNameOf(one, to));
  return word === undefined ? undefined : `${word}:{${column}}`;
}

/** Who wrote in each conversation, by its id in its own table. */
type Authors = ReadonlyMap<string, ReadonlySet<string>>;

function authorsByRoom(messages: TableFacts, conversations: TableFacts | undefined, { graph, draft }: Around): Authors {
  const author = draft.at('messages.author');
  const template = typeof author === 'string' ? `{${author}}` : draft.at('messages.author.template');
  const room = graph.best(messages).find(({ to }) => to === conversations)?.column ?? roomColumn(messages, draft);
  if (typeof template !== 'string' || !room) return new Map();
  const authors = new Map<string, Set<string>>();
  for (const row of messages.sample.rows) {
    const id = idIn(row, room);
    const wrote = filledIn(template, row);
    if (/[^:]/.test(wrote)) authors.set(id, (authors.get(id) ?? new Set()).add(wrote));
  }
  return authors;
}

/** Whether nearly everybody who wrote is one of these. */
function areAllBy(members: readonly OwnMember[], { sample, key }: TableFacts, authors: Authors): boolean {
  const wrote = sample.rows.flatMap((row) => {
    const people = members.map(({ template }) => filledIn(template, row));
    return [...((key && authors.get(idIn(row, key))) ?? [])].map((id) => people.includes(id));
  });
  return wrote.length > 0 && wrote.filter(Boolean).length >= wrote.length * 0.9;
}

/** A column whose cells list people, two of them in some: their ids, or objects that have an id of them, `participants.userId`. */
function listOfPeople(graph: Graph, { messages, conversations }: Required<Place>, draft: Draft): string | undefined {
  const author = messages.columns.find(({ name }) => name === draft.at('messages.author'));
  const known = [...graph.people.flatMap(({ key }) => key?.ids ?? []), ...(author ? [author.ids] : [])];
  const isOfPeople = (lists: readonly (readonly unknown[])[]) => {
    const texts = lists.map((list) => list.flatMap((id) => valueText(id) ?? []));
    const ids = [...new Set(texts.flat())];
    return (
      texts.some(({ length }) => length > 1) &&
      known.some((people) => ids.filter((id) => people.has(id)).length >= ids.length * 0.98)
    );
  };
  for (const { name, profile } of conversations!.columns) {
    const lists = profile.values.map((value) => markedKeys(value) ?? splitElements(value, ',') ?? []);
    if (isOfPeople(lists)) return name;
    const elements = lists.flat().filter((element) => typeof element === 'object' && element !== null);
    const keys = new Set(elements.slice(0, elementsMax).flatMap((element) => Object.keys(element!)));
    const key = [...keys].find((one) =>
      isOfPeople(lists.map((list) => list.map((element) => valueAt(element, [one])))),
    );
    if (key !== undefined) return `${name}.${pathStep(key)}`;
  }
  return undefined;
}

/** Elements of lists whose keys are looked at. */
const elementsMax = 1000;

/** Marks of people who do not belong any more. */
const goneMember =
  /left|leave|removed|removal|banned|kicked|deleted|blocked|revoked|expire|unsubscribed|(?:^|_)(?:exit(?:ed)?|quit|ended)(?:_|$)/i;
/** Words that may say so, or that they do not belong yet. */
const unclearMember = /invit|status|state|pending|accepted|active|archived|^following$/i;

/** Asks about people who left, were invited or were banned. They may lose or gain access, so the user always decides. */
function askWhoLeft(table: TableGroup, draft: Draft): void {
  for (const { name, shape, profile } of table.columns.filter(saysWhoLeft)) {
    const words = distinct(profile);
    const shown = words.slice(0, 4).map((word) => JSON.stringify(word));
    const more = words.length > 4 ? `, … (${describeValues(profile)})` : '';
    const because = `"${name}" of "${table.name}" has ${shown.join(', ')}${more}: who of them is a member?`;
    const isMoment = shape === 'time' || namesWhoOrWhen(splitWords(name));
    draft.askRows('members', name, because, rowReadings(profile, isMoment));
    proposeEnd({ name, shape, profile }, draft);
  }
}

const leaving =
  /left|leave|removed|removal|kicked|deleted|revoked|unsubscribed|(?:^|_)(?:exit(?:ed)?|quit|ended)(?:_|$)/i;

/** When people left, or that they are banned: once it is decided that those without a value, or with "no", are the members. */
function proposeEnd({ name, shape, profile }: Pick<ColumnFacts, 'name' | 'shape' | 'profile'>, draft: Draft): void {
  const only = draft.at(`members.only.${pathStep(name)}`);
  const isOfEmpty = isDeepStrictEqual(only, { filled: false });
  const isOfNo = Array.isArray(only) && only.every((word) => readFlag(String(word)) === false);
  if (/^(?:is_?)?banned(?:_?(?:at|on))?$/i.test(name) && (isOfEmpty || isOfNo))
    draft.choose('members.isBanned', { value: name, because: `"${name}" says who is banned` });
  else if (leaving.test(name) && shape === 'time' && isOfEmpty) chooseTime(draft, 'members.leftAt', [profile]);
}

/** Many values sort members if they are missing for some, or come again: text that differs from row to row does not. */
function saysWhoLeft({ name, shape, profile }: ColumnFacts): boolean {
  const isGone = goneMember.test(name);
  if (shape === 'empty' || !(isGone || unclearMember.test(name)) || /last_?(?:active|seen)/i.test(name)) return false;
  if (isGone || distinct(profile).length <= valuesMax) return true;
  const isPart = profile.texts.length < profile.rowCount;
  return shape !== 'text' && (isPart || (repeats(profile) && !namesWhoOrWhen(splitWords(name))));
}
