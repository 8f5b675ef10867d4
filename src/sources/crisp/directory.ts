import type { Location } from '../../lib/text/location.ts';
import type { Entry } from '../../model/entry.ts';
import type { ConversationRecord } from '../../model/records.ts';
import { compact, facts } from '../kit/compact.ts';
import { Seen } from '../kit/described.ts';
import { DeskPeople } from '../kit/desk/desk-people.ts';
import { problemEntry, recordEntry } from '../kit/entries.ts';
import { LastMessages } from '../kit/last-messages.ts';
import { asArray, asId, asObject, asString, type Untrusted } from '../kit/narrow.ts';
import type { AnswerRow } from '../kit/rows/answer-rows.ts';
import type { CountedProblems } from '../kit/rows/counted-problems.ts';
import { type CrispConversation, type CrispVisitor, msOf } from './format.ts';
import { readAuthor, readOperator, operatorIds, readVisitor } from './people.ts';

/** Facts from lists: about 60 bytes for each person and conversation. */
export class Directory {
  readonly lastMessages = new LastMessages('The list of conversations has latest messages that no file has');
  readonly #people = new DeskPeople();
  readonly #listed = new Set<string>();

  addOperator(row: AnswerRow, location: Location, into: Entry[]): void {
    const person = readOperator(row);
    if (person) this.#people.list(person, location, into);
    else into.push(problemEntry('user-without-id', 'Expected an operator with a "user_id", found none', location));
  }

  addConversation(row: Untrusted<CrispConversation>, location: Location, into: Entry[], counts: CountedProblems): void {
    const id = asId(row.session_id);
    if (id === undefined) {
      into.push(problemEntry('conversation-without-id', 'Expected a conversation with a "session_id"', location));
      return;
    }
    this.#listed.add(id);
    const { fingerprint } = asObject<CrispConversation['preview_message']>(row.preview_message) ?? {};
    const latest = asId(fingerprint);
    this.lastMessages.expect(latest ?? id, id, location, latest === undefined ? id : messageKey(id, latest));
    const meta = asObject<CrispVisitor>(row.meta) ?? {};
    const visitor = readVisitor(id, meta);
    this.#people.list(visitor, location, into);
    into.push(recordEntry(readConversation(id, row, [visitor.id, ...assignedIn(row)], visitor.name), location));
    countDetails(row, meta, counts);
  }

  /** For one file of messages. */
  newDescriber(): (row: AnswerRow, location: Location, into: Entry[]) => void {
    const people = this.#people.inFile();
    const described = new Seen();
    return (row, location, into) => {
      const id = asId(row.session_id);
      this.lastMessages.see(id);
      if (id !== undefined && !this.#listed.has(id) && described.add(id))
        into.push(recordEntry(readConversation(id, {}, [], id), location));
      const author = readAuthor(row);
      if (author) people.see(author, location, into);
    };
  }
}

/** The key of a message over all conversations. */
export const messageKey = (conversation: string, fingerprint: string): string => `${conversation} ${fingerprint}`;

const assignedIn = (row: Untrusted<CrispConversation>): string[] => {
  const id = asId(asObject<CrispConversation['assigned']>(row.assigned)?.user_id);
  return id === undefined ? [] : operatorIds([id]);
};

function readConversation(
  id: string,
  row: Untrusted<CrispConversation>,
  members: readonly string[],
  name: string,
): ConversationRecord {
  return compact<ConversationRecord>({
    kind: 'conversation',
    id,
    type: 'private',
    name,
    topic: asString(asObject<CrispVisitor>(row.meta)?.subject),
    metadata: facts({ status: asString(row.state) }),
    createdAtMs: msOf(row.created_at),
    members: [...members],
  });
}

function countDetails(row: Untrusted<CrispConversation>, meta: Untrusted<CrispVisitor>, counts: CountedProblems): void {
  const code = 'crisp-not-migrated';
  counts.add(code, 'segments', asArray(meta.segments).length);
  counts.add(code, 'data of visitors', Object.keys(asObject(meta.data) ?? {}).length);
  counts.add(code, 'other participants of conversations', asArray(row.participants).length);
  const own = [asString(meta.phone), asString(meta.address), asString(meta.ip)].filter(Boolean).length;
  const made = [meta.device, meta.connection].filter((value) => Object.keys(asObject(value) ?? {}).length > 0).length;
  counts.add(code, 'telephone numbers, addresses and devices of visitors', own + made);
}
