import type { Location } from '../../lib/text/location.ts';
import type { Entry } from '../../model/entry.ts';
import type { ConversationRecord } from '../../model/records.ts';
import { compact, facts } from '../kit/compact.ts';
import { ListDirectory } from '../kit/directory.ts';
import { LastMessages } from '../kit/last-messages.ts';
import { asArray, asId, asObject, asString, type Untrusted } from '../kit/narrow.ts';
import type { AnswerRow } from '../kit/rows/answer-rows.ts';
import type { CountedProblems } from '../kit/rows/counted-problems.ts';
import { type CrispConversation, type CrispVisitor, msOf } from './format.ts';
import { readAuthor, operatorIds, readVisitor } from './people.ts';

export class Directory extends ListDirectory {
  constructor() {
    super(new LastMessages('The list of conversations has latest messages that no file has'));
  }

  addListed(row: Untrusted<CrispConversation>, location: Location, into: Entry[], counts: CountedProblems): void {
    const id = asId(row.session_id);
    const meta = asObject<CrispVisitor>(row.meta) ?? {};
    const visitor = id === undefined ? undefined : readVisitor(id, meta);
    if (visitor) this.people.list(visitor, location, into);
    const record = visitor && readConversation(id!, row, [visitor.id, ...assignedIn(row)], visitor.name);
    if (!this.addConversation(record, 'a conversation with a "session_id"', location, into)) return;
    const { fingerprint } = asObject<CrispConversation['preview_message']>(row.preview_message) ?? {};
    const latest = asId(fingerprint);
    this.lastMessages.expect(latest ?? id, id!, location, latest === undefined ? id : messageKey(id!, latest));
    countDetails(row, meta, counts);
  }

  /** For one file of messages. */
  newDescriber(): (row: AnswerRow, location: Location, into: Entry[]) => void {
    const describe = this.rowDescriber(
      (row: AnswerRow) => {
        const id = asId(row.session_id);
        return id === undefined ? undefined : readConversation(id, {}, [], id);
      },
      (row) => [readAuthor(row)],
    );
    return (row, location, into) => {
      this.lastMessages.see(asId(row.session_id));
      describe(row, location, into);
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
