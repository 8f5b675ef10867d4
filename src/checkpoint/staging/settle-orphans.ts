import type { Database } from 'better-sqlite3';

/** The rule by which they are left out. Their payloads stay: the root may come with a later export. */
const rule = 'reply without its root';

const hasNoRoot =
  'root_muid IS NOT NULL AND NOT EXISTS (SELECT 1 FROM message root WHERE root.muid = message.root_muid)';

/**
 * Replies whose root the export does not have, once everything is read: they are left out, or lose the link, or nothing
 * happens to them.
 *
 * @returns How many rows changed.
 */
export function settleOrphans(db: Database, policy: 'keep' | 'unlink' | 'skip'): number {
  if (policy === 'keep') return 0;
  const changes = [
    ...(policy === 'skip'
      ? [
          `UPDATE message SET verdict = 'planned', reason = NULL
           WHERE verdict = 'skipped' AND reason = '${rule}' AND payload IS NOT NULL AND NOT (${hasNoRoot})`,
          `UPDATE message SET verdict = 'skipped', reason = '${rule}' WHERE verdict = 'planned' AND ${hasNoRoot}`,
        ]
      : [
          `UPDATE message SET payload = json_remove(payload, '$.data.metadata.chatferry.thread')
           WHERE verdict = 'planned' AND payload ->> '$.data.metadata.chatferry.thread' IS NOT NULL AND ${hasNoRoot}`,
        ]),
  ];
  return changes.reduce((count, sql) => count + db.prepare(sql).run().changes, 0);
}
