import { newMessage, type NewMessage } from '../../model/new-message.ts';
import type { MessageRecord } from '../../model/records.ts';
import { noteHidingMark, type RowProblem } from '../kit/entries.ts';
import { readAttachments, readReactions } from './attachments.ts';
import { type Content, readContent, readMentions } from './content.ts';
import { asServiceId, ownKeys, type RowConversation } from './conversation.ts';
import type { Described } from '../kit/described.ts';
import { addImportedMetadata, type EarlierMessages, readImportedMetadata } from './imported-metadata.ts';
import type { ServiceData, ServiceMessage } from './format.ts';
import {
  asArray,
  asId,
  asObject,
  asString,
  describe,
  pastSecondsToMs,
  secondsToMs,
  type Untrusted,
} from '../kit/narrow.ts';

type Row = Untrusted<ServiceMessage>;

/** Context for the rows of one file. */
export interface RowContext {
  readonly workspace: string;
  readonly described: Described;
  readonly earlier: EarlierMessages;
}

/** A row as a message, or why it is none. */
export type ReadMessage =
  | { readonly record: MessageRecord; readonly problems: readonly RowProblem[] }
  | { readonly code: string; readonly reason: string };

/**
 * @param key The row's key in an import body: its muid.
 */
export function readMessage(
  row: Row,
  key: string | undefined,
  conversation: RowConversation,
  context: RowContext,
): ReadMessage {
  const muid = key ?? asString(row.muid);
  const id = asId(row.id) ?? muid;
  if (id === undefined) {
    return {
      code: 'missing-id',
      reason: `Expected "id" or "muid", found ${describe(row.id)} and ${describe(row.muid)}`,
    };
  }
  const sentAtMs = secondsToMs(row.sentAt);
  if (sentAtMs === undefined) {
    return { code: 'bad-sent-at', reason: `Expected "sentAt" in Unix seconds, found ${describe(row.sentAt)}` };
  }
  const problems: RowProblem[] = [];
  const record = toRecord(row, { id, muid, sentAtMs, conversation }, context, problems);
  if (muid !== undefined) context.earlier.add(muid, id);
  return { record, problems };
}

interface Identity {
  readonly id: string;
  readonly muid: string | undefined;
  readonly sentAtMs: number;
  readonly conversation: RowConversation;
}

function toRecord(
  row: Row,
  { id, muid, sentAtMs, conversation }: Identity,
  context: RowContext,
  problems: RowProblem[],
) {
  const data = asObject<ServiceData>(row.data) ?? {};
  const imported = readImportedMetadata(data, problems);
  const attachments = readAttachments(row, data, imported);
  const content = readContent(row, data, attachments.length > 0);
  if (content.problem !== undefined) problems.push({ code: 'unknown-category', reason: content.problem });
  const { text, mentions } = readMentions(content.text, (uid) => context.described.nameOf('user', uid));
  const record = newMessage({
    origin: { source: 'chat-service', workspace: context.workspace, conversation: conversation.id, id },
    sortKey: makeSortKey(id, muid),
    sentAtMs,
    text,
  });
  const author = asServiceId(row.sender);
  if (author !== undefined) record.author = author;
  addMentioned(mentions, data, record);
  if (attachments.length > 0) record.attachments = attachments;
  const reactions = readReactions(data, imported);
  if (reactions.length > 0) record.reactions = reactions;
  addMarks(row, id, content, record);
  const tags = asArray(row.tags).filter((tag) => typeof tag === 'string' && tag !== '') as string[];
  if (tags.length > 0) record.tags = [...new Set(tags)];
  // A message of an earlier import has a muid made from its origin: that is no fact of the app.
  const custom = readCustom(row, id, imported ? undefined : muid, data, content);
  if (custom) record.custom = custom;
  noteHidingMark(record, tags, 'tags');
  if (imported)
    addImportedMetadata(imported, { isImportBody: id === muid, earlier: context.earlier, problems }, record);
  return record;
}

/**
 * The service gives ascending numbers, so those of one second are ordered by them; as text `9` would follow `10`. A muid
 * says nothing about order: the place in the file decides.
 */
const makeSortKey = (id: string, muid: string | undefined): string => {
  if (id === muid) return '';
  return /^\d{1,20}$/.test(id) ? id.padStart(20, '0') : id;
};

function addMentioned(inText: readonly string[], data: Untrusted<ServiceData>, record: NewMessage): void {
  const listed = Object.keys(asObject<Record<string, unknown>>(data.mentions) ?? {}).map((uid) => uid.toLowerCase());
  const mentions = [...new Set([...inText, ...listed])];
  if (mentions.length > 0) record.mentions = mentions;
}

/** Adds what happened to the message after it was written. */
function addMarks(row: Row, id: string, { systemEvent, call }: Content, record: NewMessage): void {
  const root = asId(row.parentId);
  if (root !== undefined && root !== '0' && root !== id) record.threadRoot = root;
  const editedAtMs = pastSecondsToMs(row.editedAt);
  const editor = asServiceId(row.editedBy);
  if (editedAtMs !== undefined) record.edited = { atMs: editedAtMs, ...(editor !== undefined && { by: editor }) };
  if (pastSecondsToMs(row.deletedAt) !== undefined) record.isDeleted = true;
  const changedAtMs = pastSecondsToMs(row.updatedAt);
  if (changedAtMs !== undefined && changedAtMs !== record.sentAtMs) record.version = { changedAtMs };
  if (systemEvent !== undefined) record.systemEvent = systemEvent;
  if (call) record.call = call;
}

/** Facts that have no field of their own: the app's own data among them, the service's and ours (`@…`, `chatferry`) not. */
function readCustom(
  row: Row,
  id: string,
  muid: string | undefined,
  data: Untrusted<ServiceData>,
  { systemEvent }: Content,
): MessageRecord['custom'] {
  const custom: Record<string, unknown> = {};
  if (muid !== undefined && muid !== id) custom.muid = muid;
  if (asString(row.category) !== undefined && row.category !== 'message' && systemEvent === undefined) {
    custom.category = row.category;
    custom.type = asString(row.type) ?? '';
  }
  const metadata = ownKeys(data.metadata);
  if (metadata) custom.metadata = metadata;
  const customData = ownKeys(data.customData ?? data.custodata);
  if (customData) custom.customData = customData;
  for (const name of ['deliveredAt', 'readAt'] as const) {
    const atMs = pastSecondsToMs(row[name]);
    if (atMs !== undefined) custom[`${name}Ms`] = atMs;
  }
  return Object.keys(custom).length > 0 ? (custom as MessageRecord['custom']) : undefined;
}
