import type { Database } from 'better-sqlite3';

/** Above every time, in ms: what is named comes before what is recent. */
const namedBase = Number.MAX_SAFE_INTEGER;

/**
 * Which conversations are sent before others: those that are named, in order, by id or name; then, where `byTime`, those
 * with the latest message. Equal priorities leave the choice to the uploader.
 */
export function stagePriorities(db: Database, { first, byTime }: { first: readonly string[]; byTime: boolean }): void {
  const recent = `coalesce((SELECT max(m.sent_at) FROM message m WHERE m.conversation = conversation.id AND m.verdict = 'planned'), 0)`;
  const priority = byTime ? recent : 0;
  db.exec(`UPDATE conversation SET priority = ${priority} WHERE priority <> ${priority}`);
  const name = db.prepare('UPDATE conversation SET priority = ? WHERE source_id = ? OR name = ?');
  // From the last to the first: one that is named twice has its first place.
  for (const [place, wanted] of [...first.entries()].reverse()) name.run(namedBase - place, wanted, wanted);
}
