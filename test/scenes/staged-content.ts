import Database from 'better-sqlite3';

/** Everything that a plan has staged, without ids of the store: rows as JSON, sorted, by table. */
export type StagedContent = Readonly<Record<string, readonly string[]>>;

const file = `(SELECT json_array(i.path, f.path) FROM source_file f JOIN source_input i ON i.id = f.input WHERE f.id = t.file)`;
const person = (column: string) => `(SELECT source_id FROM person WHERE id = t.${column})`;
const conversation = `(SELECT source_id FROM conversation WHERE id = t.conversation)`;

const queries: Readonly<Record<string, string>> = {
  message: `SELECT muid, ${conversation} AS conversation, ${person('sender')} AS sender, origin_id, sent_at, sort_key, edited_at,
    record_digest, verdict, reason, detail, root_muid, facts, ${file} AS file, place, stale, vanished, payload, part, follows,
    reactions, files, version FROM message t`,
  person: 'SELECT source_id, uid, name, details, record, is_placeholder, has_hash FROM person t',
  conversation: `SELECT source_id, type, name, receiver_type, guid, ${person('person_a')} AS a, ${person('person_b')} AS b, details,
    record, is_placeholder, priority FROM conversation t`,
  problem: `SELECT ${file} AS path, file = 0 AS whole, code, reason, place, count FROM problem t`,
  attachment_host: `SELECT ${file} AS path, host, count FROM attachment_host t`,
  relation: `SELECT ${file} AS path, type, ${person('from_person')} AS a, ${person('to_person')} AS b FROM relation t`,
  source_file: `SELECT i.path AS input, f.path, f.role, f.reason, f.fingerprint, f.size_bytes
    FROM source_file f JOIN source_input i ON i.id = f.input`,
  meta: `SELECT key, value FROM meta WHERE key NOT IN ('plan', 'knownUpTo', 'openedAs', 'judgedAt', 'changedSince')`,
};

/** Planned messages in the order in which they are sent. */
const sendOrder = `SELECT ${conversation} || ' ' || muid FROM message t WHERE verdict = 'planned' AND vanished = 0
  ORDER BY ${conversation}, sent_at, sort_key, seq`;

export function stagedContent(storePath: string): StagedContent {
  const db = new Database(storePath, { readonly: true });
  try {
    const content = Object.entries(queries).map(([table, sql]) => {
      const rows = db.prepare(sql).all();
      return [table, rows.map((row) => JSON.stringify(row)).sort()] as const;
    });
    return { ...Object.fromEntries(content), 'send order': db.prepare<[], string>(sendOrder).pluck().all() };
  } finally {
    db.close();
  }
}
