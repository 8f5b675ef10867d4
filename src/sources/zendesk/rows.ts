import type { Location } from '../../lib/text/location.ts';
import type { Entry } from '../../model/entry.ts';
import type { ConversationRecord } from '../../model/records.ts';
import { compact, facts } from '../kit/compact.ts';
import { DeskPeople } from '../kit/desk/desk-people.ts';
import { partialEntry, recordEntry, invalidEntry, readEntry, locationInside } from '../kit/entries.ts';
import { asArray, asCount, asId, asObject, asString, wordFor, type Untrusted } from '../kit/narrow.ts';
import { ApiFile } from '../kit/rows/api-file.ts';
import type { GoodRow, BadRow } from '../kit/rows/json-entries.ts';
import { readInside } from '../kit/rows/row-boundary.ts';
import { addUnreadRow } from '../kit/rows/rows-inside.ts';
import { readChat } from './chat.ts';
import { readMessage } from './comment.ts';
import { isChat, msOf, type ZendeskComment, type ZendeskTicket } from './format.ts';
import type { Layout, RowKind } from './layout.ts';
import { readUser } from './people.ts';

/** Facts from the lists of an export, for files of comments: about 30 bytes for each ticket. */
export class Directory {
  readonly people = new DeskPeople();
  readonly tickets = new Set<string>();
}

/** The rows of a file, whatever is in it: an answer has people next to its comments. */
export class RowsFile extends ApiFile<Layout, Directory> {
  #isDescribed = false;

  add(found: GoodRow, into: Entry[]): undefined {
    const { value, parentKey, location } = found;
    const kind = this.layout.bare ?? (parentKey as RowKind | undefined);
    if (kind === 'users') this.#addUser(value, location, into);
    else if (kind === 'tickets') this.#addTicket(value, location, into);
    else if (kind === 'comments') this.#addComment(value, location, into, this.layout.ticket);
    else if (kind === 'chats') readChat(value, location, into, this);
    else addUnreadRow(found, into);
  }

  override addFault({ fault, location }: BadRow, into: Entry[]): void {
    if (fault.scope !== 'no-row') into.push(this.bad(fault.code, fault.reason, location, this.layout.ticket));
  }

  #addUser(value: unknown, location: Location, into: Entry[]): void {
    const user = readUser(value);
    const reason = `Expected a person with an "id", found ${wordFor(value)}`;
    if (!this.addPerson(user, reason, location, into)) return;
    const { notes, details, tags } = asObject<Record<'notes' | 'details' | 'tags', unknown>>(value) ?? {};
    const count = [notes, details].filter((text) => asString(text) !== undefined).length + asArray(tags).length;
    this.counts.add('profile-detail-not-migrated', 'notes and tags of people', count);
  }

  #addTicket(value: unknown, location: Location, into: Entry[]): void {
    const ticket = asObject<ZendeskTicket>(value);
    const id = asId(ticket?.id);
    if (ticket === undefined || id === undefined) {
      into.push(this.bad('missing-id', `Expected a ticket with an "id", found ${wordFor(value)}`, location));
      return;
    }
    // Its comments are gone, and the address of them answers 404.
    if (ticket.status === 'deleted' && ticket.comments === undefined) {
      this.counts.add('zendesk-not-migrated', 'deleted tickets, whose comments are gone');
      return;
    }
    if (this.layout.role === 'shared') this.directory.tickets.add(id);
    const comments = asArray(ticket.comments);
    if (ticket.comments !== undefined && ticket.comments !== null && !Array.isArray(ticket.comments)) {
      const reason = `Expected a list of comments, found ${wordFor(ticket.comments)}`;
      into.push(invalidEntry('not-an-object', reason, locationInside(location, '/comments'), id));
    }
    const authors = comments.flatMap((comment) => asId(asObject<ZendeskComment>(comment)?.author_id) ?? []);
    into.push(recordEntry(readConversation(id, ticket, authors), location));
    this.#countOthers(ticket);
    readInside(comments, { into, location, under: '/comments', conversation: id }, (comment, at) =>
      this.#addMessage(comment, at, into, id),
    );
    const total = asCount(ticket.comment_count) ?? 0;
    if (ticket.comments !== undefined && total > comments.length) {
      const reason = `"comment_count" is ${total}, and the ticket has ${comments.length}`;
      into.push(partialEntry(reason, location, total - comments.length));
    }
  }

  #addComment(value: unknown, location: Location, into: Entry[], ticket: string | undefined): void {
    if (ticket === undefined) {
      const reason = 'Expected the id of the ticket in the name of the file, such as tickets/123/comments.json';
      into.push(invalidEntry('zendesk-no-ticket', reason, location));
      return;
    }
    if (!this.#isDescribed && !this.directory.tickets.has(ticket)) {
      this.#isDescribed = true;
      into.push(recordEntry(readConversation(ticket, {}, []), location));
    }
    this.#addMessage(value, location, into, ticket);
  }

  #addMessage(value: unknown, location: Location, into: Entry[], ticket: string): void {
    const row = asObject<ZendeskComment>(value);
    const read = row
      ? readMessage(row, { workspace: this.workspace, ticket })
      : { code: 'not-an-object', reason: `Expected a comment, found ${wordFor(value)}` };
    into.push(readEntry(read, location, ticket));
  }

  #countOthers(ticket: Untrusted<ZendeskTicket>): void {
    const fields = ticket as Readonly<Record<string, unknown>>;
    const set = asArray(fields.custom_fields).filter((field) => {
      const { value } = asObject<{ value: unknown }>(field) ?? {};
      return value !== null && value !== undefined && value !== '';
    });
    this.counts.add('zendesk-not-migrated', 'subjects that customers did not see', isSeen(ticket) ? 0 : 1);
    this.counts.add('zendesk-not-migrated', 'tags', asArray(fields.tags).length);
    this.counts.add('zendesk-not-migrated', 'fields of tickets', set.length);
    const channel = asString(asObject<{ channel: string }>(fields.via)?.channel);
    if (isChat(channel)) this.counts.add('zendesk-messages-elsewhere', `tickets of the channel ${channel}`);
  }
}

/** Whether the requester has read the subject: not that of a ticket between agents. */
const isSeen = ({ is_public: isPublic, comments }: Untrusted<ZendeskTicket>): boolean =>
  isPublic !== false &&
  (asArray(comments).length === 0 ||
    asArray(comments).some((comment) => asObject<ZendeskComment>(comment)?.public === true));

function readConversation(
  id: string,
  ticket: Untrusted<ZendeskTicket>,
  authors: readonly string[],
): ConversationRecord {
  const requester = asId(ticket.requester_id);
  return compact<ConversationRecord>({
    kind: 'conversation',
    id,
    type: 'private',
    name: (isSeen(ticket) ? asString(ticket.subject) : undefined) ?? `Ticket ${id}`,
    metadata: facts({ status: asString(ticket.status) }),
    creator: requester,
    createdAtMs: msOf(ticket.created_at),
    members: [...new Set([...(requester === undefined ? [] : [requester]), ...authors])],
  });
}
