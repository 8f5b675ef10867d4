import { Table } from './queries.ts';

/** How often a message got a reaction. */
export interface ReactionCount {
  readonly reaction: string;
  readonly count: number;
  /** Present only if the request acts for a user. */
  readonly reactedByMe?: boolean;
}

interface Row {
  readonly message: number;
  readonly reaction: string;
  readonly count: number;
  readonly isMine: 0 | 1;
}

/** Who reacted to which message. A user may give a message several reactions, each of them once. */
export class Reactions extends Table {
  add(message: number, reaction: string, uid: string): void {
    this.db.run('INSERT OR IGNORE INTO reaction (message, reaction, uid) VALUES (?, ?, ?)', message, reaction, uid);
  }

  /** By id of the message, the oldest reaction first. A message without reactions is absent. */
  of(messages: readonly number[], viewer: string | undefined): Map<number, ReactionCount[]> {
    const found = new Map<number, ReactionCount[]>();
    const rows = this.db.rows<Row>(
      `SELECT message, reaction, count(*) AS count, max(uid = ?) AS isMine FROM reaction
         WHERE message IN (SELECT value FROM json_each(?)) GROUP BY message, reaction ORDER BY message, min(id)`,
      viewer ?? '',
      JSON.stringify(messages),
    );
    for (const { message, reaction, count, isMine } of rows) {
      const counts = found.get(message) ?? [];
      counts.push({ reaction, count, ...(viewer !== undefined && { reactedByMe: isMine === 1 }) });
      found.set(message, counts);
    }
    return found;
  }
}
