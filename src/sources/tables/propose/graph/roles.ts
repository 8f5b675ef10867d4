import { aliases, columnsNamed } from '../aliases.ts';
import { type Candidate, candidate } from '../evidence.ts';
import { type ColumnFacts, lastWord, type TableFacts } from './facts.ts';
import { type Edge, type Graph, namesPerson, typedReferences } from './graph.ts';

/** A table that says of rows of another who is a member there: the two references. */
export interface Membership {
  readonly table: TableFacts;
  readonly person: Edge;
  readonly room: Edge;
}

const messageNames = /(?:message|msg|nachricht|mensaje)s?$/;
const otherNames =
  /draft|template|canned|log$|logs$|session|revision|edit|histor|archiv|schedul|notification|search|webhook|job|migration|token|queue|faq|setting|version|event|failed|import|export/;

/** Returns every table that has texts and times, or that looks like messages with texts in another table. */
export function messageCandidates(graph: Graph): readonly Candidate<TableFacts>[] {
  const found = graph.tables.flatMap((table): Candidate<TableFacts>[] => {
    if (graph.isPeople(table)) return [];
    const edges = graph.best(table);
    const hasAuthor = edges.some(({ to }) => graph.isPeople(to)) || namesSender(table);
    const hasPlace = edges.some(({ to }) => !graph.isPeople(to) && to !== table) || namesRoom(table);
    const hasText = textColumns(table).length > 0;
    const hasTime = table.columns.some(({ shape, isFilled }) => shape === 'time' && isFilled);
    const namedMessages = messageNames.test(lastWord(table.name)) || /(?:message|msg)/.test(lastWord(table.name));
    const isElsewhere = namedMessages && hasTime && hasAuthor && hasPlace;
    if (!(hasText && hasTime) && !isElsewhere) return [];
    const namedOtherThan = otherNames.test(table.name.toLowerCase());
    return [candidate(table, { hasText, hasTime, hasAuthor, hasPlace, namedMessages, namedOtherThan })];
  });
  const ranked = found.sort((a, b) => b.points - a.points);
  // A table that belongs to messages of another table holds parts of them: older versions, notes.
  const isPart = (table: TableFacts) =>
    graph
      .best(table)
      .some(
        ({ to, isNamed }) =>
          isNamed &&
          to !== table &&
          !graph.isPeople(to) &&
          ranked.some(({ value }) => value === to) &&
          pointsOf(ranked, to) > pointsOf(ranked, table),
      );
  return ranked.filter(({ value }) => !isPart(value));
}

const pointsOf = (ranked: readonly Candidate<TableFacts>[], table: TableFacts) =>
  ranked.find(({ value }) => value === table)?.points ?? 0;

/** Returns columns with text written by people, the longest first. */
export function textColumns({ columns }: TableFacts): readonly ColumnFacts[] {
  const named = new Set(
    columnsNamed(
      columns.map(({ name }) => name),
      aliases.message.text,
    ),
  );
  const length = ({ profile: { texts } }: ColumnFacts) =>
    texts.reduce((sum, text) => sum + text.length, 0) / Math.max(1, texts.length);
  return columns
    .filter(
      (column) =>
        column.shape === 'text' || (named.has(column.name) && (column.shape === 'word' || column.shape === 'json')),
    )
    .sort((a, b) => length(b) - length(a));
}

const namesSender = (table: TableFacts): boolean =>
  typedReferences(table).some(({ name }) => namesPerson(name)) ||
  columnsNamed(
    table.columns.map(({ name }) => name),
    'userid senderid authorid fromid fromuserid useridfrom sender author',
  ).length > 0;

const namesRoom = (table: TableFacts): boolean =>
  columnsNamed(
    table.columns.map(({ name }) => name),
    'conversationid channelid roomid chatid threadid groupid dialogid topicid ticketid recipientid receiverid toid touserid',
  ).length > 0;

const memberNames = /member|particip|subscri|recipient|membership|roster|_to_|user/;
const otherThanMembers =
  /mention|like|reaction|seen|read|mute|ban|follow|bookmark|draft|favorite|favourite|star|notif|vote|pin|boost|block/;

/** Tables of two references, to people and to rooms, whose rows say nothing more than who belongs where; the likeliest first. */
export function memberships(graph: Graph, room: TableFacts): readonly Candidate<Membership>[] {
  const found = graph.tables.flatMap((table): Candidate<Membership>[] => {
    const edges = graph.best(table);
    const person = edges.find(({ to, column }) => graph.isPeople(to) && !otherPerson.test(column.name));
    const place = edges.find(({ to }) => to === room);
    const isUsed = graph.to(table).some(({ from }) => from !== table);
    if (!person || !place || table === room || isUsed || holdsTexts(table)) return [];
    const name = table.name.toLowerCase();
    return [
      candidate(
        { table, person, room: place },
        {
          namesBoth: true,
          namedMembers: memberNames.test(name),
          namedOtherThan: otherThanMembers.test(name),
        },
      ),
    ];
  });
  return found.sort((a, b) => b.points - a.points);
}

const holdsTexts = (table: TableFacts): boolean =>
  textColumns(table).some(({ shape, profile }) => shape === 'text' && profile.texts.some((text) => /\s/.test(text)));

/** Words in names of columns for a person other than the author or member. */
export const otherPerson =
  /assign|edit|delet|remov|updat|modif|clos|approv|review|read|seen|mention|recipient|receiv|invit|kick|ban|block|report|last|(?:^|[^a-z])to(?:$|[^a-z])/i;
