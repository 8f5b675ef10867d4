import type { Reaction } from '../../model/records.ts';
import { asString } from '../kit/narrow.ts';
import { type DatabaseRow as Row, isSet, numberOf } from '../kit/rows/database-row.ts';
import { self, readTime } from './format.ts';

/** Rows that are reactions: added, and taken back. 1000, 2007 and 3007 are stickers, which are files. */
const [added, removed] = [2000, 3000];
const custom = 6;
/** A vote in a poll, which names the poll as a reaction names its message. */
const vote = 4000;

/** In SQL, of the table `r`: reactions and votes. */
export const isReaction = `r.associated_message_type = ${vote} OR r.associated_message_type BETWEEN ${added} AND ${added + custom} OR r.associated_message_type BETWEEN ${removed} AND ${removed + custom}`;

/** In SQL: the id of the message that a row of the table `r` is about, without the number of the part. */
export const targetGuid = `CASE WHEN r.associated_message_guid LIKE 'p:%/%' THEN substr(r.associated_message_guid, instr(r.associated_message_guid, '/') + 1)
  WHEN r.associated_message_guid LIKE 'bp:%' THEN substr(r.associated_message_guid, 4) ELSE r.associated_message_guid END`;

/** By the end of the number. */
const emojis = ['❤️', '👍', '👎', '😂', '‼️', '❓'];

/** Reactions of one message, as they are now. */
export interface ReactionsNow {
  readonly reactions: readonly Reaction[];
  /** When the latest of them came, or was taken back. */
  readonly lastMs: number;
  /** Those of which the emoji is missing. */
  readonly unknownCount: number;
  readonly voteCount: number;
}

/**
 * @param rows Of one message, in order of time.
 * @param personOf The person of a handle's number.
 */
export function reactionsNow(rows: readonly Row[], personOf: (handle: unknown) => string | undefined): ReactionsNow {
  const now = new Map<string, { readonly emoji: string; readonly person: string | undefined }>();
  let [lastMs, unknownCount, voteCount] = [0, 0, 0];
  for (const row of rows) {
    const type = numberOf(row.associated_message_type) ?? 0;
    const person = isSet(row.is_from_me) ? self : personOf(row.handle_id);
    const kind = type % 1000;
    const emoji = kind === custom ? asString(row.associated_message_emoji) : emojis[kind];
    lastMs = Math.max(lastMs, readTime(row.date)?.atMs ?? 0);
    const key = JSON.stringify([person ?? String(row.rowid), row.associated_message_guid, emoji]);
    if (type === vote) voteCount += 1;
    else if (emoji === undefined) unknownCount += 1;
    else if (type >= removed) now.delete(key);
    else now.set(key, { emoji, person });
  }
  const byEmoji = Map.groupBy(now.values(), ({ emoji }) => emoji);
  const reactions = [...byEmoji].map(([emoji, all]) => {
    const users = [...new Set(all.map(({ person }) => person).filter((person) => person !== undefined))];
    const nameless = all.filter(({ person }) => person === undefined).length;
    return { emoji, users, count: users.length + nameless };
  });
  return { reactions, lastMs, unknownCount, voteCount };
}
