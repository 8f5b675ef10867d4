import { newMessage } from '../../model/new-message.ts';
import type { Json, MessageRecord } from '../../model/records.ts';
import { fieldProblem, noteHidingMark, type RowProblem } from '../kit/entries.ts';
import { readAttachments, readReactions } from './attachments.ts';
import { type Content, readContent, readMentions } from './content.ts';
import { asServiceId, ownKeys, type RowConversation } from './conversation.ts';
import type { Described } from '../kit/described.ts';
import { type EarlierMessages, readFields, readImportedMetadata } from './imported-metadata.ts';
import type { ServiceData, ServiceMessage } from './format.ts';
import {
  asId,
  asObject,
  asString,
  asStrings,
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
  if (sentAtMs === undefined) return fieldProblem('bad-sent-at', '"sentAt" in Unix seconds', row.sentAt);
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
  const was = imported && readFields(imported, { isImportBody: id === muid, earlier: context.earlier, problems });
  const listed = Object.keys(asObject<Record<string, unknown>>(data.mentions) ?? {}).map((uid) => uid.toLowerCase());
  const root = asId(row.parentId);
  const isRoot = root === undefined || root === '0' || root === id;
  const editedAtMs = pastSecondsToMs(row.editedAt);
  const changedAtMs = pastSecondsToMs(row.updatedAt);
  const tags = asStrings(row.tags);
  const record = newMessage({
    origin: { source: 'chat-service', workspace: context.workspace, conversation: conversation.id, id },
    sortKey: makeSortKey(id, muid),
    sentAtMs,
    text,
    author: asServiceId(row.sender),
    mentions: [...new Set([...mentions, ...listed, ...(was?.mentions ?? [])])],
    attachments,
    reactions: readReactions(data, imported),
    threadRoot: isRoot ? was?.threadRoot : root,
    isBroadcast: was?.isBroadcast,
    quoteOf: was?.quoteOf,
    edited: editedAtMs === undefined ? was?.edited : { atMs: editedAtMs, by: asServiceId(row.editedBy) },
    version: { changedAtMs: changedAtMs === sentAtMs ? undefined : changedAtMs },
    isDeleted: pastSecondsToMs(row.deletedAt) !== undefined || was?.isDeleted,
    systemEvent: content.systemEvent ?? was?.systemEvent,
    internal: was?.internal,
    call: content.call,
    isPinned: was?.isPinned,
    tags,
    // A message of an earlier import has a muid made from its origin: that is no fact of the app.
    custom: { ...readCustom(row, id, imported ? undefined : muid, data, content), ...was?.custom },
  });
  noteHidingMark(record, tags, 'tags');
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

/** Facts that have no field of their own: the app's own data among them, the service's and ours (`@…`, `chatferry`) not. */
function readCustom(
  row: Row,
  id: string,
  muid: string | undefined,
  data: Untrusted<ServiceData>,
  { systemEvent }: Content,
): Readonly<Record<string, Json | undefined>> {
  const category = row.category === 'message' || systemEvent !== undefined ? undefined : asString(row.category);
  return {
    muid: muid === id ? undefined : muid,
    category,
    type: category && (asString(row.type) ?? ''),
    metadata: ownKeys(data.metadata) as Json | undefined,
    customData: ownKeys(data.customData ?? data.custodata) as Json | undefined,
    deliveredAtMs: pastSecondsToMs(row.deliveredAt),
    readAtMs: pastSecondsToMs(row.readAt),
  };
}
