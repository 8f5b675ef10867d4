import Database from 'better-sqlite3';

/** Returns the texts in a sandbox's data file by conversation, in the order of arrival. Reads them without Chatferry's code. */
export function sandboxContents(path: string): Map<string, string[]> {
  const db = new Database(path, { readonly: true });
  try {
    const rows = db
      .prepare<[], { name: string; text: string }>(
        `SELECT c.name, m.data ->> '$.text' AS text FROM message m JOIN conversation c ON c.id = m.conversation ORDER BY m.id`,
      )
      .all();
    const contents = new Map<string, string[]>();
    for (const { name, text } of rows) contents.set(name, [...(contents.get(name) ?? []), text]);
    return contents;
  } finally {
    db.close();
  }
}

/** Conversations sorted, for comparing. */
export const byName = (contents: ReadonlyMap<string, readonly string[]>) =>
  Object.fromEntries([...contents].sort(([a], [b]) => (a < b ? -1 : 1)));
