import { newMessage, type NewMessage } from '../../model/new-message.ts';
import type { Attachment, MessageRecord } from '../../model/records.ts';
import { type Author, authorOf } from './author.ts';
import type { ConversationFacts } from './conversations.ts';
import { filesOf } from './files.ts';
import type { SlackFile, SlackMessage, SlackRoom } from './format.ts';
import { quotedIn, textOf } from './message-text.ts';
import { asArray, asObject, asString, asStrings, type Untrusted } from '../kit/narrow.ts';
import { slackbotId } from './people.ts';
import { reactionsOf } from './reactions.ts';
import type { RowContext } from './row-context.ts';
import { ruleOf, type SubtypeRule } from './subtypes.ts';
import { secondsToMs, timestampMs, timestampSortKey } from './timestamp.ts';

type Message = Untrusted<SlackMessage>;

/** Why a row did not become a message. */
export interface RowReject {
  readonly kind: 'reject';
  readonly code: string;
  readonly reason: string;
}

const noFiles: Attachment[] = [];

const reject = (code: string, reason: string): RowReject => ({ kind: 'reject', code, reason });

/**
 * One row of a day file as a message.
 *
 * This is the hot path: some two microseconds a row. Fields are looked at one by one instead of through a schema,
 * and whatever a row does not have costs one comparison.
 */
export function readRow(
  value: unknown,
  conversation: ConversationFacts,
  context: RowContext,
): MessageRecord | RowReject {
  const row = asObject<SlackMessage>(value);
  if (!row) return reject('not-an-object', `Expected a message, found ${describe(value)}`);
  const rule = ruleOfRow(row, context);
  if (rule === 'changed' || rule === 'removed') return readEnclosed(row, rule, conversation, context);
  if (rule === 'unreadable')
    return reject('ekm-access-denied', "The workspace's key management withheld the content of this message");
  const ts = row.ts;
  if (typeof ts !== 'string') return rejectWithoutTs(row);
  const sentAtMs = timestampMs(ts);
  if (sentAtMs === undefined)
    return reject('bad-ts', `Expected "ts" such as "1433563027.000006", found "${ts.slice(0, 40)}"`);
  context.beginRow(row);
  return toRecord(row, rule, ts, sentAtMs, conversation, context);
}

function ruleOfRow(row: Message, context: RowContext): SubtypeRule {
  const subtype = asString(row.subtype);
  if (subtype === undefined) return 'message';
  const rule = ruleOf(subtype);
  if (rule) return rule;
  context.problems.push({
    code: 'unknown-subtype',
    reason: `Subtype "${subtype}" is not known: the row is kept as a message`,
  });
  return 'message';
}

function describe(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'an array' : `a ${typeof value}`;
}

/** A Slack Post stands among the messages as a file without time or author. */
function rejectWithoutTs(row: Message): RowReject {
  if (row.mimetype === 'application/vnd.slack-docs') {
    return reject(
      'slack-post',
      'A Slack Post stands here, a document without time or author; only its address was exported',
    );
  }
  if (row.ts === undefined || row.ts === null) return reject('missing-ts', 'The row has no "ts": neither time nor id');
  return reject('bad-ts', `Expected "ts" as text, found ${describe(row.ts)}`);
}

/** The message inside a note of the Discovery API. Notes inside notes are not followed. */
function readEnclosed(
  note: Message,
  rule: 'changed' | 'removed',
  conversation: ConversationFacts,
  context: RowContext,
): MessageRecord | RowReject {
  const inner = asObject<SlackMessage>(rule === 'changed' ? note.message : note.previous_message);
  const ts = rule === 'removed' ? (note.deleted_ts ?? inner?.ts) : inner?.ts;
  const innerRule = inner && ruleOf(asString(inner.subtype) ?? '');
  if (ts === undefined || innerRule === 'changed' || innerRule === 'removed') {
    return reject('empty-note', `A "${String(note.subtype)}" note without the message that it is about`);
  }
  const message = readRow({ ...inner, ts }, conversation, context);
  if (rule === 'removed' && message.kind === 'message') message.isDeleted = true;
  return message;
}

function toRecord(
  row: Message,
  rule: SubtypeRule,
  ts: string,
  sentAtMs: number,
  conversation: ConversationFacts,
  context: RowContext,
): MessageRecord {
  const files =
    row.files === undefined && row.file === undefined && row.attachments === undefined ? noFiles : filesOf(row);
  const record = newMessage({
    origin: { source: 'slack', workspace: context.workspace, conversation: conversation.id, id: ts },
    sortKey: timestampSortKey(ts),
    sentAtMs,
    text: textOf(row, rule, files.length > 0, context),
  });
  const author = authorByRule(row, rule, context);
  if (author) {
    record.author = author.id;
    if (author.details) record.authorDetails = author.details;
  }
  // The platform's lines name people without calling them.
  if (context.mentions.length > 0 && rule !== 'system') record.mentions = context.mentions.slice();
  if (files.length > 0 && rule !== 'file-comment') record.attachments = files;
  addThread(row, rule, ts, record);
  addMarks(row, rule, conversation, record);
  if (rule === 'system' || rule === 'call') record.systemEvent = row.subtype as string;
  if (rule === 'call') record.call = callOf(asObject<SlackRoom>(row.room) ?? {});
  const custom = customOf(row, rule, author, context);
  if (custom) record.custom = custom;
  return record;
}

function authorByRule(row: Message, rule: SubtypeRule, context: RowContext): Author | undefined {
  if (rule === 'file-comment') {
    const user = asObject<SlackMessage['comment']>(row.comment)?.user;
    return authorOf(asString(user) === undefined ? row : { ...row, user }, context.people);
  }
  if (rule === 'call') {
    const starter = asObject<SlackRoom>(row.room)?.created_by;
    return authorOf(asString(starter) === undefined ? row : { ...row, user: starter }, context.people);
  }
  if (rule === 'deleted' && row.user === slackbotId) return undefined;
  return authorOf(row, context.people);
}

function addThread(row: Message, rule: SubtypeRule, ts: string, record: NewMessage): void {
  const root = asString(row.thread_ts) ?? (rule === 'broadcast' ? asString(row.broadcast_thread_ts) : undefined);
  if (root !== undefined && root !== ts) record.threadRoot = root;
  if (rule === 'broadcast') record.isBroadcast = true;
}

/** What happened to the message after it was written. */
function addMarks(row: Message, rule: SubtypeRule, conversation: ConversationFacts, record: NewMessage): void {
  if (row.reactions !== undefined) {
    const reactions = reactionsOf(asArray(row.reactions));
    if (reactions.length > 0) record.reactions = reactions;
  }
  if (row.edited !== undefined) addEdit(row.edited, record);
  if (row.attachments !== undefined) {
    const quoteOf = quotedIn(asArray(row.attachments), conversation.id);
    if (quoteOf !== undefined && quoteOf !== record.threadRoot) record.quoteOf = quoteOf;
  }
  if (rule === 'deleted' || row.hidden === true) record.isDeleted = true;
  if (isPinned(row, conversation)) record.isPinned = true;
}

const isPinned = (row: Message, { pins }: ConversationFacts) =>
  (pins.size > 0 && pins.has(row.ts as string)) || (row.pinned_to !== undefined && asArray(row.pinned_to).length > 0);

/** Only the last edit is exported, without what stood there before. */
function addEdit(value: unknown, record: NewMessage): void {
  const edit = asObject<SlackMessage['edited']>(value);
  const atMs = timestampMs(asString(edit?.ts) ?? '');
  const by = asString(edit?.user);
  if (atMs === undefined && by === undefined) return;
  record.edited = { ...(atMs !== undefined && { atMs }), ...(by !== undefined && { by }) };
}

function callOf(room: Untrusted<SlackRoom>): NonNullable<MessageRecord['call']> {
  const startedAtMs = secondsToMs(room.date_start);
  const endedAtMs = secondsToMs(room.date_end);
  const participants = asStrings([...asArray(room.participant_history), ...asArray(room.participants)]);
  return {
    ...(startedAtMs !== undefined && { startedAtMs }),
    ...(endedAtMs !== undefined && { endedAtMs }),
    ...(participants.length > 0 && { participants }),
  };
}

/** Small facts that have no field: previews left out, a bot's other name, who invited, the file that a comment is about. */
function customOf(
  row: Message,
  rule: SubtypeRule,
  author: Author | undefined,
  context: RowContext,
): MessageRecord['custom'] {
  if (row.subtype === undefined && context.previewsLeftOut === 0 && author?.shownAs === undefined) return undefined;
  const custom: Record<string, string | number> = {};
  const inviter = asString(row.inviter);
  const file = rule === 'file-comment' ? asObject<SlackFile>(row.file) : undefined;
  const fileId = asString(file?.id);
  if (context.previewsLeftOut > 0 && rule !== 'system') custom.linkPreviews = context.previewsLeftOut;
  if (author?.shownAs !== undefined) custom.shownAs = author.shownAs;
  if (inviter !== undefined) custom.inviter = inviter;
  if (fileId !== undefined) custom.commentOnFile = fileId;
  if (rule === 'message' && typeof row.subtype === 'string' && !ruleOf(row.subtype)) custom.subtype = row.subtype;
  for (const _ in custom) return custom;
  return undefined;
}
