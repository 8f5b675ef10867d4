import { hasMembers } from '../../lib/maps/objects.ts';
import type { LostPart } from '../../model/lost-parts.ts';
import { newMessage, type NewMessage } from '../../model/new-message.ts';
import type { Attachment, MessageRecord } from '../../model/records.ts';
import { compact } from '../kit/compact.ts';
import type { RowProblem } from '../kit/entries.ts';
import { asArray, asCount, asId, asObject, asString, describe, wordFor, type Untrusted } from '../kit/narrow.ts';
import type { CountedProblems } from '../kit/rows/counted-problems.ts';
import { distinctFiles, escapedBody, htmlBody, nameIn } from '../kit/text/html-body.ts';
import { type HelpScoutFile, type HelpScoutThread, msOf } from './format.ts';

type Row = Untrusted<HelpScoutThread>;

/**
 * Who saw a thread. The text of a call was written down by an agent, for agents. A forwarded thread went to a third person, not to the customer:
 * `forwardparent` is in the conversation with the customer, `forwardchild` begins the one with the third person.
 */
const visibility: Readonly<Record<string, NonNullable<MessageRecord['internal']> | 'everyone' | 'line'>> = {
  customer: 'everyone',
  message: 'everyone',
  reply: 'everyone',
  chat: 'everyone',
  beaconchat: 'everyone',
  note: 'note',
  phone: 'note',
  forwardparent: 'side-conversation',
  forwardchild: 'side-conversation',
  lineitem: 'line',
};

/** Help Scout's page has both `review` and `underreview` for the same state. */
const unsent = new Set(['draft', 'hidden', 'underreview', 'review']);

interface ThreadPlace {
  readonly workspace: string;
  readonly conversation: string;
  readonly author: string | undefined;
  readonly isDeleted: boolean;
  readonly counts: CountedProblems;
}

/** Reads a thread. Ids ascend, and order threads of the same second. */
export function readThread(row: Row, place: ThreadPlace): MessageRecord | RowProblem {
  const id = asId(row.id);
  if (id === undefined) return { code: 'missing-id', reason: `Expected "id", found ${describe(row.id)}` };
  const sentAtMs = msOf(row.createdAt);
  if (sentAtMs === undefined)
    return { code: 'helpscout-bad-time', reason: `Expected "createdAt", found ${describe(row.createdAt)}` };
  const attached = asObject<HelpScoutThread['_embedded']>(row._embedded)?.attachments;
  const bad = badBody(row.body, attached);
  if (bad) return bad;
  const lost: Partial<Record<LostPart, number>> = {};
  const lose = (what: LostPart, count = 1) => {
    lost[what] = (lost[what] ?? 0) + count;
  };
  const { text, files } = htmlBody(escapedBody(asString(row.body) ?? ''), lose);
  const record = newMessage({
    origin: { source: 'helpscout', workspace: place.workspace, conversation: place.conversation, id },
    sortKey: id.padStart(20, '0'),
    sentAtMs,
    text,
  });
  if (place.author !== undefined) record.author = place.author;
  const attachments = distinctFiles([...asArray(attached).flatMap(readFile), ...files]);
  if (attachments.length > 0) record.attachments = attachments;
  const unclear = addVisibility(row, record);
  if (unclear) return unclear;
  if (place.isDeleted) record.isDeleted = true;
  addDetails(row, record);
  if (hasMembers(lost)) record.lost = lost;
  countOthers(row, place.counts);
  return record;
}

function badBody(body: unknown, attached: unknown): RowProblem | undefined {
  const code = 'helpscout-bad-body';
  if (body !== undefined && body !== null && typeof body !== 'string')
    return { code, reason: `Expected "body" to be a text, found ${wordFor(body)}` };
  if (attached !== undefined && attached !== null && !Array.isArray(attached))
    return { code, reason: `Expected "attachments" to be a list, found ${wordFor(attached)}` };
  return undefined;
}

/** @returns why it is not certain who saw it. */
function addVisibility(row: Row, record: NewMessage): RowProblem | undefined {
  const code = 'helpscout-unclear-visibility';
  const type = asString(row.type) ?? '';
  const seenBy = Object.hasOwn(visibility, type) ? visibility[type]! : undefined;
  if (seenBy === undefined)
    return { code, reason: `Expected "type" to be a type of threads that is known, found ${describe(row.type)}` };
  const state = asString(row.state) ?? '';
  if (state !== 'published' && !unsent.has(state))
    return {
      code,
      reason: `Expected "state" to be published, draft, hidden or underreview, found ${describe(row.state)}`,
    };
  if (seenBy === 'line') addLine(row, record);
  else if (seenBy !== 'everyone') record.internal = seenBy;
  if (unsent.has(state)) record.internal ??= 'note';
  return undefined;
}

/** A line about what was done. If it has a text, it is one for agents: customers see no line. */
function addLine(row: Row, record: NewMessage): void {
  record.systemEvent = asString(asObject<HelpScoutThread['action']>(row.action)?.type) ?? 'lineitem';
  if (record.text !== '' || record.attachments) record.internal = 'note';
  else record.text = describeType(record.systemEvent);
}

/** `changed-ticket-assignee` in words. Whom it was assigned to is for agents. */
const describeType = (type: string): string =>
  `${type.charAt(0).toUpperCase()}${type.slice(1).replaceAll(/[-_]/g, ' ')}`;

function addDetails(row: Row, record: NewMessage): void {
  const { rating, comments } = asObject<HelpScoutThread['rating']>(row.rating) ?? {};
  const { type } = asObject<HelpScoutThread['source']>(row.source) ?? {};
  const custom = {
    ...(asString(type) !== undefined && { channel: type as string }),
    ...(asString(rating) !== undefined && { rating: rating as string }),
    ...(asString(comments) !== undefined && { ratingComment: comments as string }),
  };
  if (hasMembers(custom)) record.custom = custom;
}

function countOthers(row: Row, counts: CountedProblems): void {
  const count = (what: string, by: number) => counts.add('helpscout-not-migrated', what, by);
  count('copies to other addresses', asArray(row.cc).length + asArray(row.bcc).length);
  count('read marks', asString(row.openedAt) === undefined ? 0 : 1);
  count('texts of actions', asString(asObject<HelpScoutThread['action']>(row.action)?.text) === undefined ? 0 : 1);
}

function readFile(value: unknown): readonly Attachment[] {
  const file = asObject<HelpScoutFile>(value);
  if (file === undefined) return [];
  const links = asObject<HelpScoutFile['_links']>(file._links);
  const url = asString(asObject<{ href: string }>(links?.web)?.href);
  return [
    compact<Attachment>({
      id: asId(file.id),
      name: asString(file.filename) ?? (url === undefined ? 'file' : nameIn(url)),
      url,
      mimeType: asString(file.mimeType),
      sizeBytes: asCount(file.size),
      ...(url === undefined && { unavailable: 'access-denied' }),
    }),
  ];
}
