import type { Database } from 'better-sqlite3';
import { type DeliveryStory, deliveryStories } from './delivery-stories.ts';
import { type DriftStory, driftStories } from './drift-stories.ts';
import { type ReactionStory, reactionStories } from './reaction-stories.ts';
import { printPlace } from '../base/message-facts.ts';
import { hasMessageIndex } from '../base/message-indexes.ts';

/** Everything that the store knows about one message. */
export interface MessageStory {
  readonly muid: string | null;
  readonly originId: string | null;
  /** Name of the conversation. */
  readonly conversation: string | null;
  readonly author: string | null;
  readonly sentAtMs: number | null;
  readonly verdict: string;
  readonly reason: string | null;
  readonly detail: string | null;
  /** JSON; null where there is none to send, or where it was forgotten. */
  readonly payload: string | null;
  /** It is planned, and its content was wiped by `forget-content`. */
  readonly isForgotten: boolean;
  /** Path of the folder, archive or file. */
  readonly input: string;
  /** Source of the input, where it is not that of the store. */
  readonly inputSource: string | null;
  readonly path: string;
  readonly location: string;
  readonly isVanished: boolean;
  /** Of a message that says how another one changed at the source: the muid of that one. */
  readonly follows: string | null;
  /** How it changed at the source after it was sent. */
  readonly drift: readonly DriftStory[];
  /** One for each destination that knows of it, in the order of their first use. */
  readonly deliveries: readonly DeliveryStory[];
  /** Those that are to be replayed, with what each destination said. */
  readonly reactions: readonly ReactionStory[];
}

interface MessageRow {
  readonly seq: number;
  readonly muid: string | null;
  readonly origin_id: string | null;
  readonly conversation: string | null;
  readonly author: string | null;
  readonly sent_at: number | null;
  readonly verdict: string;
  readonly reason: string | null;
  readonly detail: string | null;
  readonly payload: string | null;
  readonly input: string;
  readonly input_source: string | null;
  readonly path: string;
  readonly place: string;
  readonly vanished: number;
  readonly follows: string | null;
}

/** Versions of one message, or messages of as many conversations that use one id: more are not shown. */
const shownMax = 20;

/** Messages with this muid, at any destination and of any generation; where there are none, with this id at the source. */
export function explainMessage(db: Database, id: string): MessageStory[] {
  const byMuid = rowsOf(
    db,
    `m.seq IN (${withMuid}) ${hasMessageIndex(db, 'message_muid') ? '' : 'OR m.muid = @id'}`,
    id,
  );
  // No index: every row is looked at.
  const rows = byMuid.length > 0 ? byMuid : rowsOf(db, 'm.origin_id = @id', id);
  const storiesOf = deliveryStories(db);
  const driftOf = driftStories(db);
  const reactionsOf = reactionStories(db);
  return rows.map((row) => ({
    muid: row.muid,
    originId: row.origin_id,
    conversation: row.conversation,
    author: row.author,
    sentAtMs: row.sent_at,
    verdict: row.verdict,
    reason: row.reason,
    detail: row.detail,
    payload: row.payload,
    isForgotten: row.verdict === 'planned' && row.payload === null,
    input: row.input,
    inputSource: row.input_source,
    path: row.path,
    location: printPlace(row.path, row.place),
    isVanished: row.vanished === 1,
    follows: row.follows,
    drift: driftOf(row.seq),
    deliveries: storiesOf(row.seq),
    reactions: reactionsOf(row.seq),
  }));
}

const withMuid = `SELECT seq FROM message WHERE muid = @id
  UNION SELECT d.message FROM destination t CROSS JOIN delivery d ON d.destination = t.id AND d.muid = @id
  UNION SELECT message FROM delivery_history WHERE muid = @id`;

const rowsOf = (db: Database, condition: string, id: string): MessageRow[] =>
  db
    .prepare<{ id: string }, MessageRow>(
      `SELECT m.seq, m.muid, m.origin_id, c.name AS conversation, p.name AS author, m.sent_at, m.verdict, m.reason, m.detail, m.payload,
         i.path AS input, i.source AS input_source, f.path, m.place, m.vanished, o.muid AS follows
       FROM message m JOIN source_file f ON f.id = m.file JOIN source_input i ON i.id = f.input
       LEFT JOIN conversation c ON c.id = m.conversation LEFT JOIN person p ON p.id = m.sender
       LEFT JOIN message o ON o.seq = m.follows
       WHERE ${condition} ORDER BY m.seq LIMIT ${shownMax}`,
    )
    .all({ id });
