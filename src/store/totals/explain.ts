import { printPlace } from '../../lib/text/location.ts';
import { hasMessageIndex } from '../base/message-indexes.ts';
import { lateStatements, sql, value, withStatements } from '../base/statements.ts';
import { actionCode, actionJoins, actionState, isPurgedReaction } from '../base/action-sql.ts';
import { Destinations } from '../destinations.ts';
import { MediaStories, type MediaStory } from '../media/stories.ts';
import { wholePayload } from '../base/packed-payload.ts';

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
  /** @internal How it changed at the source after it was sent. */
  readonly drift: readonly DriftStory[];
  /** One for each destination that knows of it, in the order of their first use. */
  readonly deliveries: readonly DeliveryStory[];
  /** @internal Those that are to be replayed, with what each destination said. */
  readonly reactions: readonly ReactionStory[];
  /** @internal Files that are copied to their permanent location, in the order of the message. */
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

/** A change of a message at the source after it was sent to a destination. */
export interface DriftStory {
  readonly destination: string;
  readonly kind: string;
  readonly policy: string;
  readonly seenAtMs: number;
  /** Muid of the message that says so there. */
  readonly followUp: string | null;
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

export interface DeliveryStory {
  readonly destination: string;
  readonly state: string;
  /** The muid that it has there now; it differs from that of the message after an undo. */
  readonly muid: string | null;
  /** From 1; each undo there adds one. */
  readonly generation: number;
  readonly serverId: string | null;
  readonly code: string | null;
  readonly detail: string | null;
  readonly isLate: boolean;
  /** @internal Every batch that held it, oldest first. */
  readonly batches: readonly BatchStory[];
}

/** A batch that held the message: its requests, and what was said of the message. */
export interface BatchStory {
  readonly batch: number;
  readonly run: number;
  /** Command of the run: import, retry, verify ... */
  readonly command: string;
  /** Messages in the batch. */
  readonly size: number;
  /** Empty if the message was found without a request from Chatferry. */
  readonly attempts: readonly AttemptStory[];
  readonly answers: readonly AnswerStory[];
}

export interface AttemptStory {
  readonly number: number;
  readonly startedAtMs: number;
  readonly endedAtMs: number | null;
  /** Null: no answer was written down. */
  readonly outcome: string | null;
  readonly status: number | null;
  readonly code: string | null;
  readonly detail: string | null;
}

/** A state that the message had through the batch: `pending` where it turned out that nothing had arrived. */
export type AnswerStory = Pick<DeliveryStory, 'state' | 'generation' | 'serverId' | 'code' | 'detail'>;

interface DeliveryRow extends Omit<DeliveryStory, 'destination' | 'isLate' | 'batches'> {
  readonly destination: number;
  readonly name: string;
  readonly late: number;
}

/** Verdict of the latest plan on a message, and the muids under which it is sent: more than its own if its text was split. */
export interface MessageVerdict {
  readonly verdict: 'planned' | 'skipped' | 'invalid';
  readonly reason: string | null;
  readonly muids: readonly string[];
}

/** Versions of one message, or messages of as many conversations that use one id: more are not shown. */
const shownMax = 20;
/** So many are shown of a message. */
const reactionsShownMax = 100;
/** The greatest row number that SQLite gives. */
const afterAllOthers = '9223372036854775807';

const withMuid = `SELECT seq FROM message WHERE muid = @id
  UNION SELECT d.message FROM destination t CROSS JOIN delivery d ON d.destination = t.id AND d.muid = @id
  UNION SELECT message FROM delivery_history WHERE muid = @id`;

/** Locations as reports print them (`printPlace`); a line finds everything in it. */
const atPlace = `m.place <> '' AND (@id = f.path || iif(m.place LIKE '/%', '#', ':') || m.place
  OR (m.place NOT LIKE '/%' AND instr(m.place, '#') > 0 AND @id = f.path || ':' || substr(m.place, 1, instr(m.place, '#') - 1)))`;

const rowsWhere = (condition: string) => `
    SELECT m.seq, m.muid, m.origin_id, c.name AS conversation, p.name AS author, m.sent_at, m.verdict, m.reason, m.detail, ${wholePayload('m')} AS payload,
      i.path AS input, i.source AS input_source, f.path, m.place, m.vanished, o.muid AS follows
    FROM message m JOIN source_file f ON f.id = m.file JOIN source_input i ON i.id = f.input
    LEFT JOIN conversation c ON c.id = m.conversation LEFT JOIN person p ON p.id = m.sender
    LEFT JOIN message o ON o.seq = m.follows
    WHERE ${condition} ORDER BY m.seq LIMIT ${shownMax}`;

const shownReaction = `CASE WHEN ${isPurgedReaction('a')} THEN '(purged)' ELSE a.reaction END AS reaction`;

interface OneMessage {
  readonly message: number;
}
interface MessageThere extends OneMessage {
  readonly destination: number;
}

const statements = lateStatements({
  byMuid: sql<{ id: string }, MessageRow>`${rowsWhere(`m.seq IN (${withMuid})`)}`,
  // Before the index is there every row is looked at.
  byMuidWithoutIndex: sql<{ id: string }, MessageRow>`${rowsWhere(`m.seq IN (${withMuid}) OR m.muid = @id`)}`,
  // There is none: every row is looked at.
  byId: sql<{ id: string }, MessageRow>`${rowsWhere('m.origin_id = @id')}`,
  atPlace: sql<{ id: string }, MessageRow>`${rowsWhere(atPlace)}`,
  drift: sql<[message: number], DriftStory>`
    SELECT t.name AS destination, x.kind, x.policy, x.seen_at AS seenAtMs, f.muid AS followUp
    FROM drift x JOIN destination t ON t.id = x.destination LEFT JOIN message f ON f.seq = x.follow_up
    WHERE x.message = ? ORDER BY x.id`,
  reactionsAt: sql<MessageThere, ReactionStory>`
    SELECT p.uid, ${shownReaction}, t.name AS destination, CASE WHEN a.is_wanted = 0 THEN 'withdrawn'
      ELSE replace(replace(replace(${actionState}, 'waiting', 'pending'), 'ready', 'pending'), 'sent', 'unconfirmed') END AS state,
      ${actionCode} AS code, v.detail
    FROM ${actionJoins('@destination')} JOIN person p ON p.id = a.person JOIN destination t ON t.id = @destination
    WHERE a.message = @message AND a.kind = 'reactions' ORDER BY a.id LIMIT ${reactionsShownMax}`,
  plannedReactions: sql<OneMessage, ReactionStory>`
    SELECT p.uid, ${shownReaction}, NULL AS destination, 'pending' AS state, NULL AS code, NULL AS detail
    FROM action a JOIN person p ON p.id = a.person
    WHERE a.message = @message AND a.kind = 'reactions' ORDER BY a.id LIMIT ${reactionsShownMax}`,
  deliveries: sql<OneMessage, DeliveryRow>`
    SELECT d.destination, t.name, d.state, coalesce(d.muid, m.muid) AS muid, d.generation, d.server_id AS serverId, d.code,
      d.detail, d.is_late AS late
    FROM destination t CROSS JOIN delivery d ON d.destination = t.id AND d.message = @message
    JOIN message m ON m.seq = @message ORDER BY t.id`,
  batches: sql<MessageThere, Omit<BatchStory, 'attempts' | 'answers'>>`
    SELECT b.id AS batch, b.run, coalesce(r.command, '') AS command, b.size FROM batch b LEFT JOIN run r ON r.id = b.run
    WHERE b.id IN (SELECT batch FROM delivery WHERE destination = @destination AND message = @message
      UNION SELECT batch FROM delivery_history WHERE message = @message AND destination = @destination) ORDER BY b.id`,
  attempts: sql<[batch: number], AttemptStory>`
    SELECT number, started_at AS startedAtMs, ended_at AS endedAtMs, outcome, status, code, detail FROM attempt
    WHERE batch = ? ORDER BY number`,
  answers: sql<MessageThere & { readonly batch: number }, AnswerStory>`
    SELECT state, generation, serverId, code, detail FROM (
      SELECT rowid AS place, state, generation, server_id AS serverId, code, detail FROM delivery_history
      WHERE message = @message AND destination = @destination AND batch = @batch
      UNION ALL SELECT ${afterAllOthers}, state, generation, server_id, code, detail FROM delivery
      WHERE destination = @destination AND message = @message AND batch = @batch) ORDER BY place`,
  verdict: sql<[muid: string], Omit<MessageVerdict, 'muids'> & { readonly part: number | null }>`
    SELECT verdict, reason, part FROM message WHERE muid = ? AND verdict <> 'duplicate'`,
  furtherParts: value<[muid: string], string>`
    SELECT muid FROM message WHERE substr(muid, 1, 27) = ? AND part > 1 AND verdict = 'planned' ORDER BY part`,
});

export class Explanations extends withStatements(statements) {
  /** Messages with this muid, at any destination and of any generation; where there are none, with this id at the source, or at this place. */
  explain(id: string): MessageStory[] {
    const byMuid = hasMessageIndex(this.db, 'message_muid') ? 'byMuid' : 'byMuidWithoutIndex';
    for (const select of [byMuid, 'byId', 'atPlace'] as const) {
      const rows = this.sql[select].all({ id });
      if (rows.length > 0) return rows.map((row) => this.#story(row));
    }
    return [];
  }

  verdict(muid: string): MessageVerdict | undefined {
    const found = this.sql.verdict.get(muid);
    if (!found) return undefined;
    const { verdict, reason, part } = found;
    return { verdict, reason, muids: part === 1 ? [muid, ...this.sql.furtherParts.all(muid)] : [muid] };
  }

  #story(row: MessageRow): MessageStory {
    return {
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
      drift: this.sql.drift.all(row.seq),
      deliveries: this.#deliveries(row.seq),
      reactions: this.#reactions(row.seq),
      files: new MediaStories(this.db).each(row.seq),
    };
  }

  #deliveries(message: number): DeliveryStory[] {
    const { deliveries, batches, attempts, answers } = this.sql;
    return deliveries.all({ message }).map(({ destination, name, late, ...row }) => ({
      destination: name,
      ...row,
      isLate: late === 1,
      batches: batches.all({ message, destination }).map((batch) => ({
        ...batch,
        attempts: attempts.all(batch.batch),
        answers: answers.all({ message, destination, batch: batch.batch }),
      })),
    }));
  }

  /** At every destination that the store knows. */
  #reactions(message: number): ReactionStory[] {
    const destinations = new Destinations(this.db).ids();
    if (destinations.length === 0) return this.sql.plannedReactions.all({ message });
    return destinations.flatMap((destination) => this.sql.reactionsAt.all({ destination, message }));
  }
}
