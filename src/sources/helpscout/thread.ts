import { newMessage } from '../../model/new-message.ts';
import type { Attachment, MessageRecord } from '../../model/records.ts';
import { attachedFile } from '../kit/attached-file.ts';
import { fieldProblem, type RowProblem } from '../kit/entries.ts';
import { asArray, asId, asObject, asString, wordFor, type Untrusted } from '../kit/narrow.ts';
import { countLost } from '../kit/lost.ts';
import type { CountedProblems } from '../kit/rows/counted-problems.ts';
import { distinctFiles, escapedBody, htmlBody } from '../kit/text/html-body.ts';
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
  if (id === undefined) return fieldProblem('missing-id', '"id"', row.id);
  const sentAtMs = msOf(row.createdAt);
  if (sentAtMs === undefined) return fieldProblem('helpscout-bad-time', '"createdAt"', row.createdAt);
  const attached = asObject<HelpScoutThread['_embedded']>(row._embedded)?.attachments;
  const bad = badBody(row.body, attached);
  if (bad) return bad;
  const { lost, lose } = countLost();
  const { text, files } = htmlBody(escapedBody(asString(row.body) ?? ''), lose);
  const attachments = distinctFiles([...asArray(attached).flatMap(readFile), ...files]);
  const isEmpty = text === '' && attachments.length === 0;
  const seen = readVisibility(row, isEmpty);
  if ('code' in seen) return seen;
  countOthers(row, place.counts);
  const rating = asObject<HelpScoutThread['rating']>(row.rating);
  return newMessage({
    origin: { source: 'helpscout', workspace: place.workspace, conversation: place.conversation, id },
    sortKey: id.padStart(20, '0'),
    sentAtMs,
    // Whom it was assigned to is for agents.
    text: isEmpty && seen.systemEvent !== undefined ? describeType(seen.systemEvent) : text,
    author: place.author,
    attachments,
    isDeleted: place.isDeleted,
    systemEvent: seen.systemEvent,
    internal: seen.internal,
    custom: {
      channel: asString(asObject<HelpScoutThread['source']>(row.source)?.type),
      rating: asString(rating?.rating),
      ratingComment: asString(rating?.comments),
    },
    lost,
  });
}

function badBody(body: unknown, attached: unknown): RowProblem | undefined {
  const code = 'helpscout-bad-body';
  if (body !== undefined && body !== null && typeof body !== 'string')
    return { code, reason: `Expected "body" to be a text, found ${wordFor(body)}` };
  if (attached !== undefined && attached !== null && !Array.isArray(attached))
    return { code, reason: `Expected "attachments" to be a list, found ${wordFor(attached)}` };
  return undefined;
}

/** Who saw it, or why that is not certain. A line about what was done that has a text is one for agents: customers see no line. */
function readVisibility(row: Row, isEmpty: boolean): Pick<MessageRecord, 'internal' | 'systemEvent'> | RowProblem {
  const code = 'helpscout-unclear-visibility';
  const type = asString(row.type) ?? '';
  const seenBy = Object.hasOwn(visibility, type) ? visibility[type]! : undefined;
  if (seenBy === undefined) return fieldProblem(code, '"type" to be a type of threads that is known', row.type);
  const state = asString(row.state) ?? '';
  if (state !== 'published' && !unsent.has(state))
    return fieldProblem(code, '"state" to be published, draft, hidden or underreview', row.state);
  const internal = unsent.has(state) ? 'note' : undefined;
  if (seenBy !== 'line') return { internal: seenBy === 'everyone' ? internal : seenBy };
  const systemEvent = asString(asObject<HelpScoutThread['action']>(row.action)?.type) ?? 'lineitem';
  return { systemEvent, internal: isEmpty ? internal : 'note' };
}

/** `changed-ticket-assignee` in words. */
const describeType = (type: string): string =>
  `${type.charAt(0).toUpperCase()}${type.slice(1).replaceAll(/[-_]/g, ' ')}`;

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
  const url = asObject<{ href: string }>(links?.web)?.href;
  const { id, filename: name, mimeType, size } = file;
  return [attachedFile({ id, name, url, mimeType, size, unavailable: 'access-denied' })];
}
