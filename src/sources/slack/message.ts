import { hasMembers } from '../../lib/maps/objects.ts';
import { newMessage, type NewMessage } from '../../model/new-message.ts';
import type { Attachment, MessageRecord, UserRecord } from '../../model/records.ts';
import { noteHidingMark, type RowProblem } from '../kit/entries.ts';
import { asArray, asObject, asString, asStrings, wordFor, pastSecondsToMs, type Untrusted } from '../kit/narrow.ts';
import type { ConversationFacts } from './conversations.ts';
import { readReactions } from './emoji.ts';
import { readFiles } from './files.ts';
import type { SlackFile, SlackMessage, SlackRoom } from './format.ts';
import { quotedIn, slackText } from './message-text.ts';
import { type Author, readAuthor, botNamedIn, slackbotId } from './people.ts';
import { Row, type Workspace } from './row.ts';
import { findRule } from './subtypes.ts';

/** A row as a message, or why it is none. */
export type ReadRow =
  | {
      readonly record: MessageRecord;
      readonly problems: readonly RowProblem[];
      /** Person described by the row. */
      readonly person?: UserRecord | undefined;
    }
  | RowProblem;

const reject = (code: string, reason: string): RowProblem => ({ code, reason });

/**
 * One row of a day file as a message.
 *
 * This is the hot path: some two microseconds a row. Fields are looked at one by one instead of through a schema,
 * and whatever a row does not have costs one comparison.
 */
export function readRow(value: unknown, conversation: ConversationFacts, workspace: Workspace): ReadRow {
  const message = asObject<SlackMessage>(value);
  if (!message) return reject('not-an-object', `Expected a message, found ${wordFor(value)}`);
  const subtype = asString(message.subtype);
  const rule = subtype === undefined ? 'message' : findRule(subtype);
  if (rule === 'changed' || rule === 'removed') return readEnclosed(message, rule, conversation, workspace);
  if (rule === 'unreadable')
    return reject('ekm-access-denied', "The workspace's key management withheld the content of this message");
  const { ts } = message;
  if (typeof ts !== 'string') return rejectWithoutTs(message);
  const sentAtMs = timestampMs(ts);
  if (sentAtMs === undefined)
    return reject('bad-ts', `Expected "ts" such as "1433563027.000006", found "${ts.slice(0, 40)}"`);
  const row = new Row(message, { rule: rule ?? ruleOfUnknown(message), ts, sentAtMs, conversation }, workspace);
  if (rule === undefined) {
    const taken = row.rule === 'system' ? 'taken for a line of the platform' : 'kept as a message';
    row.note('unknown-subtype', `Subtype "${subtype}" is not known: the row is ${taken}`);
  }
  const person = rule === 'system' ? botNamedIn(message, workspace.people) : undefined;
  const record = toRecord(row);
  return row.fault ?? { record, problems: row.problems, person };
}

/**
 * Returns the rule for an unknown subtype. Platform messages name the person who acted, `<@U1> added a tab`, or have no
 * author but Slackbot. People do not write like that, so such a text is not attributed to a person.
 */
function ruleOfUnknown({ user, bot_id, text, client_msg_id }: Untrusted<SlackMessage>): 'message' | 'system' {
  if (client_msg_id !== undefined) return 'message';
  const isNobody = user === undefined ? bot_id === undefined : user === slackbotId || user === 'U00';
  const namesItself = typeof user === 'string' && typeof text === 'string' && text.startsWith(`<@${user}`);
  return isNobody || namesItself ? 'system' : 'message';
}

/** Rejects a row without `ts`. A Slack Post is such a row: a file without time or author among the messages. */
function rejectWithoutTs(message: Untrusted<SlackMessage>): RowProblem {
  if (message.mimetype === 'application/vnd.slack-docs') {
    return reject(
      'slack-post',
      'This is a Slack Post, a document without time or author; only its address was exported',
    );
  }
  if (message.ts === undefined || message.ts === null) {
    return reject('missing-ts', 'The row has no "ts": neither time nor id');
  }
  return reject('bad-ts', `Expected "ts" as text, found ${wordFor(message.ts)}`);
}

/** The message inside a note of the Discovery API. Notes inside notes are not followed. */
function readEnclosed(
  note: Untrusted<SlackMessage>,
  rule: 'changed' | 'removed',
  conversation: ConversationFacts,
  workspace: Workspace,
): ReadRow {
  const inner = asObject<SlackMessage>(rule === 'changed' ? note.message : note.previous_message);
  const ts = rule === 'removed' ? (note.deleted_ts ?? inner?.ts) : inner?.ts;
  const innerRule = inner && findRule(asString(inner.subtype) ?? '');
  if (ts === undefined || innerRule === 'changed' || innerRule === 'removed') {
    return reject('empty-note', `A "${String(note.subtype)}" note without the message that it is about`);
  }
  const read = readRow({ ...inner, ts }, conversation, workspace);
  if (rule === 'removed' && 'record' in read) read.record.isDeleted = true;
  return read;
}

const noFiles: Attachment[] = [];

function toRecord(row: Row): MessageRecord {
  const { message, rule, ts, conversation, workspace, mentions } = row;
  const hasFiles = message.files !== undefined || message.file !== undefined || message.attachments !== undefined;
  // The commented file is in a row of its own.
  const files = hasFiles && rule !== 'file-comment' ? readFiles(message, row) : noFiles;
  const record = newMessage({
    origin: { source: 'slack', workspace: workspace.id, conversation: conversation.id, id: ts },
    sortKey: timestampSortKey(ts),
    sentAtMs: row.sentAtMs,
    text: slackText(row, files.length > 0),
  });
  const author = authorByRule(row);
  if (author) {
    record.author = author.id;
    if (author.details) record.authorDetails = author.details;
  }
  // The platform's lines name people without calling them.
  if (mentions.length > 0 && rule !== 'system') record.mentions = mentions;
  if (files.length > 0) record.attachments = files;
  addThread(row, record);
  addMarks(row, record);
  if (rule === 'system' || rule === 'call') record.systemEvent = message.subtype as string;
  if (rule === 'call') record.call = readCall(asObject<SlackRoom>(message.room) ?? {});
  const custom = readCustom(row, author);
  if (custom) record.custom = custom;
  if (row.links) record.links = row.links;
  if (message.metadata !== undefined && isAppData(message.metadata)) {
    row.lose('appData');
    noteHidingMark(record, message.metadata, 'metadata');
  }
  noteHidingMark(record, message.is_ephemeral, 'is_ephemeral');
  if (row.lost) record.lost = row.lost;
  return record;
}

function authorByRule({ message, rule, conversation, workspace: { people } }: Row): Author | undefined {
  if (rule === 'file-comment') {
    const user = asObject<SlackMessage['comment']>(message.comment)?.user;
    return readAuthor(asString(user) === undefined ? message : { ...message, user }, people);
  }
  if (rule === 'call') {
    const starter = asObject<SlackRoom>(message.room)?.created_by;
    return readAuthor(asString(starter) === undefined ? message : { ...message, user: starter }, people);
  }
  if (rule === 'deleted' && message.user === slackbotId) return undefined;
  return readAuthor(message, people, conversation.id.startsWith('D'));
}

function addThread({ message, rule, ts }: Row, record: NewMessage): void {
  const broadcastRoot = rule === 'broadcast' ? asString(message.broadcast_thread_ts) : undefined;
  const root = asString(message.thread_ts) ?? numericTs(message.thread_ts) ?? broadcastRoot;
  if (root !== undefined && root !== ts) record.threadRoot = root;
  if (rule === 'broadcast') record.isBroadcast = true;
}

/** Some tools write it as a number, without the zeros at its end. */
const numericTs = (value: unknown): string | undefined =>
  typeof value === 'number' && value >= 1e8 && value < 1e11 ? value.toFixed(6) : undefined;

/** Adds later changes of the message. */
function addMarks(row: Row, record: NewMessage): void {
  const { message, rule, conversation } = row;
  if (message.reactions !== undefined) {
    const reactions = readReactions(asArray(message.reactions));
    if (reactions.length > 0) record.reactions = reactions;
  }
  if (message.edited !== undefined) addEdit(message.edited, record);
  if (message.attachments !== undefined) {
    const quoteOf = quotedIn(asArray(message.attachments), conversation.id);
    if (quoteOf !== undefined && quoteOf !== record.threadRoot) record.quoteOf = quoteOf;
  }
  if (rule === 'deleted' || message.hidden === true) record.isDeleted = true;
  if (isPinned(row)) record.isPinned = true;
}

const isPinned = ({ message, ts, conversation: { pins } }: Row) =>
  (pins.size > 0 && pins.has(ts)) || (message.pinned_to !== undefined && asArray(message.pinned_to).length > 0);

/** Adds the edit. Only the last edit is exported, without the text before it. */
function addEdit(value: unknown, record: NewMessage): void {
  const edit = asObject<SlackMessage['edited']>(value);
  const atMs = timestampMs(asString(edit?.ts) ?? '');
  const by = asString(edit?.user);
  if (atMs === undefined && by === undefined) return;
  record.edited = { ...(atMs !== undefined && { atMs }), ...(by !== undefined && { by }) };
}

function readCall(room: Untrusted<SlackRoom>): NonNullable<MessageRecord['call']> {
  const startedAtMs = pastSecondsToMs(room.date_start);
  const endedAtMs = pastSecondsToMs(room.date_end);
  const participants = asStrings([...asArray(room.participant_history), ...asArray(room.participants)]);
  return {
    ...(startedAtMs !== undefined && { startedAtMs }),
    ...(endedAtMs !== undefined && { endedAtMs }),
    ...(participants.length > 0 && { participants }),
  };
}

/** Whether the metadata is that of an app. Every message from slackdump has empty metadata. */
const isAppData = (metadata: unknown) =>
  asString(asObject<SlackMessage['metadata']>(metadata)?.event_type) !== undefined;

/** Small facts that have no field: previews left out, a bot's other name, who invited, the file that a comment is about. */
function readCustom({ message, rule, lost }: Row, author: Author | undefined): MessageRecord['custom'] {
  const { subtype } = message;
  const previewsLeftOut = lost?.previews ?? 0;
  if (subtype === undefined && previewsLeftOut === 0 && author?.shownAs === undefined) return undefined;
  const custom: Record<string, string | number> = {};
  const inviter = asString(message.inviter);
  const file = rule === 'file-comment' ? asObject<SlackFile>(message.file) : undefined;
  const fileId = asString(file?.id);
  if (previewsLeftOut > 0 && rule !== 'system') custom.linkPreviews = previewsLeftOut;
  if (author?.shownAs !== undefined) custom.shownAs = author.shownAs;
  if (inviter !== undefined) custom.inviter = inviter;
  if (fileId !== undefined) custom.commentOnFile = fileId;
  if (rule === 'message' && typeof subtype === 'string' && !findRule(subtype)) custom.subtype = subtype;
  return hasMembers(custom) ? custom : undefined;
}

/**
 * Slack's `ts`: `"1433558319.000002"`, seconds and a six-digit fraction, unique in its channel. It is an id that looks like a number:
 * as a float it would lose digits, so it is only ever cut as a string.
 */
const other = /^(\d{1,10})(?:\.(\d{1,6}))?$/;

/** Returns the epoch milliseconds of a `ts`, with the fraction cut after three digits. Undefined if it is not a `ts`. */
export function timestampMs(ts: string): number | undefined {
  if (isUsual(ts)) {
    const ms = digits(ts, 0, 10) * 1000 + digits(ts, 11, 14);
    if (!Number.isNaN(ms + digits(ts, 14, 17))) return ms;
  }
  const parts = other.exec(ts);
  return parts ? Number(parts[1]) * 1000 + Number((parts[2] ?? '').padEnd(3, '0').slice(0, 3)) : undefined;
}

/** Ten characters, a point and six more. */
const isUsual = (ts: string) => ts.length === 17 && ts.charCodeAt(10) === 46;

/** The number that these characters make, NaN where one is no digit. In a fraction of the time of `Number(ts.slice(…))`. */
function digits(ts: string, from: number, end: number): number {
  let value = 0;
  for (let at = from; at < end; at++) {
    const digit = ts.charCodeAt(at) - 48;
    if (digit < 0 || digit > 9) return Number.NaN;
    value = value * 10 + digit;
  }
  return value;
}

/** The `ts` as ten digits, a point and six digits, so that comparing code units orders it. */
export function timestampSortKey(ts: string): string {
  if (isUsual(ts)) return ts;
  const [seconds = '', fraction = ''] = ts.split('.');
  return `${seconds.padStart(10, '0')}.${fraction.padEnd(6, '0')}`;
}
