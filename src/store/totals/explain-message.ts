import type { Database } from 'better-sqlite3';
import { printPlace } from '../base/message-facts.ts';
import { hasMessageIndex } from '../base/message-indexes.ts';
import { actionCode, actionJoins, actionState } from '../delivery/action-rows.ts';
import { type MediaStory, mediaStories } from '../media/media-story.ts';
import { isPurgedReaction } from '../repair/purge-reactions.ts';
import { deliveryStories, type DeliveryStory } from './delivery-stories.ts';
import { Destinations } from '../destinations.ts';

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
  /** JSON; null if there is nothing to send, or if it was purged. */
  readonly payload: string | null;
  /** It is planned, and its content was wiped by `purge`. */
  readonly isPurged: boolean;
  /** Path of the folder, archive or file. */
  readonly input: string;
  /** Source of the input, if it is not that of the store. */
  readonly inputSource: string | null;
  readonly path: string;
  readonly location: string;
  readonly isVanished: boolean;
  /** Muid of the message whose change at the source this one reports. */
  readonly follows: string | null;
  /** How it changed at the source after it was sent. */
  readonly drift: readonly DriftStory[];
  /** One for each destination that knows of it, in the order of their first use. */
  readonly deliveries: readonly DeliveryStory[];
  /** Those that are to be replayed, with what each destination said. */
  readonly reactions: readonly ReactionStory[];
  /** Files that are copied to their permanent location, in the order of the message. */
  readonly files: readonly MediaStory[];
}

interface MessageRow
  extends Pick<
    MessageStory,
    'muid' | 'conversation' | 'author' | 'verdict' | 'reason' | 'detail' | 'payload' | 'input' | 'path' | 'follows'
  > {
  readonly seq: number;
  readonly origin_id: string | null;
  readonly sent_at: number | null;
  readonly input_source: string | null;
  readonly place: string;
  readonly vanished: number;
}

/** Versions of one message, or messages of as many conversations that use one id: more are not shown. */
const shownMax = 20;

/** Messages with this muid, at any destination and of any generation; where there are none, with this id at the source, or at this place. */
export function explainMessage(db: Database, id: string): MessageStory[] {
  const byMuid = rowsOf(
    db,
    `m.seq IN (${withMuid}) ${hasMessageIndex(db, 'message_muid') ? '' : 'OR m.muid = @id'}`,
    id,
  );
  // No index: every row is looked at.
  const byId = byMuid.length > 0 ? byMuid : rowsOf(db, 'm.origin_id = @id', id);
  const rows = byId.length > 0 ? byId : rowsOf(db, atPlace, id);
  const storiesOf = deliveryStories(db);
  const driftOf = driftStories(db);
  const reactionsOf = reactionStories(db);
  const filesOf = mediaStories(db);
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
    isPurged: row.verdict === 'planned' && row.payload === null,
    input: row.input,
    inputSource: row.input_source,
    path: row.path,
    location: printPlace(row.path, row.place),
    isVanished: row.vanished === 1,
    follows: row.follows,
    drift: driftOf(row.seq),
    deliveries: storiesOf(row.seq),
    reactions: reactionsOf(row.seq),
    files: filesOf(row.seq),
  }));
}

const withMuid = `SELECT seq FROM message WHERE muid = @id
  UNION SELECT d.message FROM destination t CROSS JOIN delivery d ON d.destination = t.id AND d.muid = @id
  UNION SELECT message FROM delivery_history WHERE muid = @id`;

/** Locations as reports print them (`printPlace`); a line finds everything in it. */
const atPlace = `m.place <> '' AND (@id = f.path || iif(m.place LIKE '/%', '#', ':') || m.place
  OR (m.place NOT LIKE '/%' AND instr(m.place, '#') > 0 AND @id = f.path || ':' || substr(m.place, 1, instr(m.place, '#') - 1)))`;

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

/** A change of a message at the source after it was sent to a destination. */
export interface DriftStory {
  readonly destination: string;
  readonly kind: string;
  readonly policy: string;
  readonly seenAtMs: number;
  /** Muid of the message that says so there. */
  readonly followUp: string | null;
}

/** Reads how messages changed, by their `seq`, in the order in which it was noticed. */
function driftStories(db: Database): (message: number) => DriftStory[] {
  const select = db.prepare<[number], DriftStory>(
    `SELECT t.name AS destination, x.kind, x.policy, x.seen_at AS seenAtMs, f.muid AS followUp
     FROM drift x JOIN destination t ON t.id = x.destination LEFT JOIN message f ON f.seq = x.follow_up
     WHERE x.message = ? ORDER BY x.id`,
  );
  return (message) => select.all(message);
}

/** A reaction that was to be replayed, and what became of it at one destination. */
export interface ReactionStory {
  readonly uid: string;
  readonly reaction: string;
  /** Null if nothing was sent anywhere yet. */
  readonly destination: string | null;
  /** `pending`, `unconfirmed`, `done`, `existing`, `failed`; `withdrawn`: the export does not have it any more. */
  readonly state: string;
  readonly code: string | null;
  readonly detail: string | null;
}

/** So many are shown of a message. */
const reactionsShownMax = 100;

const shownReaction = `CASE WHEN ${isPurgedReaction('a')} THEN '(purged)' ELSE a.reaction END AS reaction`;

/** Reactions of a message, by its number, at every destination that the store knows. */
export function reactionStories(db: Database): (message: number) => ReactionStory[] {
  const statements = new Destinations(db).ids().map((id) =>
    db.prepare<[number], ReactionStory>(
      `SELECT p.uid, ${shownReaction}, t.name AS destination, CASE WHEN a.is_wanted = 0 THEN 'withdrawn'
         ELSE replace(replace(replace(${actionState}, 'waiting', 'pending'), 'ready', 'pending'), 'sent', 'unconfirmed') END AS state,
         ${actionCode} AS code, v.detail
       FROM ${actionJoins(String(id))} JOIN person p ON p.id = a.person JOIN destination t ON t.id = ${id}
       WHERE a.message = ? AND a.kind = 'reactions' ORDER BY a.id LIMIT ${reactionsShownMax}`,
    ),
  );
  const planned = db.prepare<[number], ReactionStory>(
    `SELECT p.uid, ${shownReaction}, NULL AS destination, 'pending' AS state, NULL AS code, NULL AS detail
     FROM action a JOIN person p ON p.id = a.person WHERE a.message = ? AND a.kind = 'reactions' ORDER BY a.id LIMIT ${reactionsShownMax}`,
  );
  return (message) =>
    statements.length === 0 ? planned.all(message) : statements.flatMap((statement) => statement.all(message));
}

/** Verdict of the latest plan on a message, and the muids under which it is sent: more than its own if its text was split. */
export interface MessageVerdict {
  readonly verdict: 'planned' | 'skipped' | 'invalid';
  readonly reason: string | null;
  readonly muids: readonly string[];
}

export function messageVerdict(db: Database, muid: string): MessageVerdict | undefined {
  const found = db
    .prepare<[string], Omit<MessageVerdict, 'muids'> & { readonly part: number | null }>(
      `SELECT verdict, reason, part FROM message WHERE muid = ? AND verdict <> 'duplicate'`,
    )
    .get(muid);
  if (!found) return undefined;
  const { verdict, reason, part } = found;
  const others = db
    .prepare(
      `SELECT muid FROM message WHERE substr(muid, 1, 27) = ? AND part > 1 AND verdict = 'planned' ORDER BY part`,
    )
    .pluck();
  return { verdict, reason, muids: part === 1 ? [muid, ...(others.all(muid) as string[])] : [muid] };
}
