import type { Database } from 'better-sqlite3';

/** An export in a comparison: the input of a file, negative; of two files of one input each is one. */
const exportIn = (file: string, other: string) => `iif(${file}.input = ${other}.input, ${file}.id, -${file}.input)`;

/** Files of exports that say that they lack a part: what they do not have may be older than the rest of them. */
const partialInputs = `SELECT f.input FROM problem p JOIN source_file f ON f.id = p.file WHERE p.code = 'export-is-partial'`;

/**
 * Makes `temp.later`: which of two exports of a conversation is the later one, where a message of it is in both in different states and
 * its own version does not say it. An export is later if another message of the conversation is of a later version in it; else, of two
 * inputs, the one that has the later messages, unless one of them says that it lacks a part. If they contradict each other, none is.
 *
 * @param muids SQL with the identities that several rows have: `SELECT muid FROM …`.
 */
export function compareExports(db: Database, muids: string): void {
  db.exec(`DROP TABLE IF EXISTS temp.compared; DROP TABLE IF EXISTS temp.later; DROP TABLE IF EXISTS temp.last_message;
    CREATE TEMP TABLE compared AS SELECT a.conversation, ${exportIn('f', 'g')} AS export, ${exportIn('g', 'f')} AS other,
        max(coalesce(a.version, '') > coalesce(b.version, '')) AS is_later,
        max(a.record_digest <> b.record_digest AND coalesce(a.version, '') = coalesce(b.version, '')) AS is_open
      FROM (${muids}) t JOIN message a ON a.muid = t.muid JOIN message b ON b.muid = t.muid AND b.file <> a.file
      JOIN source_file f ON f.id = a.file JOIN source_file g ON g.id = b.file
      JOIN source_input i ON i.id = f.input JOIN source_input j ON j.id = g.input
      WHERE coalesce(i.source, j.source) IS NULL AND coalesce(a.part, 1) = 1 GROUP BY 1, 2, 3;
    DELETE FROM temp.compared WHERE NOT is_open;
    CREATE TEMP TABLE last_message AS SELECT m.conversation, -f.input AS export, max(m.sent_at) AS at FROM message m
      JOIN source_file f ON f.id = m.file WHERE m.conversation IN (SELECT conversation FROM temp.compared WHERE export < 0)
        AND f.input NOT IN (${partialInputs}) GROUP BY 1, 2;
    CREATE TEMP TABLE later AS SELECT x.conversation, x.export, x.other FROM temp.compared x
      JOIN temp.compared y ON y.conversation = x.conversation AND y.export = x.other AND y.other = x.export
      LEFT JOIN temp.last_message p ON p.conversation = x.conversation AND p.export = x.export
      LEFT JOIN temp.last_message q ON q.conversation = x.conversation AND q.export = x.other
      WHERE NOT y.is_later AND (x.is_later OR p.at > q.at);
    CREATE INDEX temp.later_export ON later (conversation, export, other)`);
}

/** SQL: whether a file is of a later export of a conversation than another one. */
export const isOfLaterExport = (conversation: string, file: string, other: string): string =>
  `EXISTS (SELECT 1 FROM temp.later l WHERE l.conversation = ${conversation} AND l.export = ${exportIn(file, other)} AND l.other = ${exportIn(other, file)})`;
