import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { SourceError, UsageError } from '../../../src/lib/errors.ts';
import type { Progress } from '../../../src/lib/flow/progress.ts';
import type { Outcome } from '../../../src/commands/session.ts';
import { planExport } from '../../../src/commands/plan.ts';
import { sessionRequest } from '../../scenes/session-request.ts';
import { temporaryFolderInMemory } from '../../scenes/temporary-folder.ts';

/** How a file is planned: its name, its source, and what the mapping says. */
export interface Format {
  readonly name: string;
  readonly source: string;
  readonly mapping?: string;
}

/** A file that grows, and the store that follows it. Call at the top of a test file. */
export function growingScene() {
  const home = temporaryFolderInMemory();
  return ({ name, source, mapping }: Format) => {
    const folder = home.make();
    const path = join(folder, name);
    return {
      folder,
      path,
      write: (content: string | Uint8Array) => writeFileSync(path, content),
      append: (content: string | Uint8Array) => appendFileSync(path, content),
      /** @returns the outcome, and how many rows were read for it. */
      async plan(exports = [path]): Promise<Outcome & { readonly readCount: number }> {
        const { progress, counted } = countingProgress();
        const changes = { from: exports, source, progress, ...(mapping !== undefined && { mapping }) };
        const outcome = await planExport(await sessionRequest(folder, changes));
        return { ...outcome, readCount: counted.done };
      },
      staged: () => stagedIn(join(folder, 'chatferry.db')),
    };
  };
}

export type Growing = ReturnType<ReturnType<typeof growingScene>>;

/** Plans, unless there is not enough of the file yet to be an export at all. */
export async function planIfPossible(file: Growing): Promise<void> {
  try {
    await file.plan();
  } catch (error) {
    if (!(error instanceof SourceError) && !(error instanceof UsageError)) throw error;
  }
}

function countingProgress(): { readonly progress: Progress; readonly counted: { done: number } } {
  const counted = { done: 0 };
  const update = ({ done = 0 }: { readonly done?: number }) => {
    counted.done = done;
  };
  return { counted, progress: { stage: () => ({ update, finish() {} }) } };
}

/** Everything that a plan has staged, without the numbers that the store gives. */
function stagedIn(path: string) {
  const db = new Database(path, { readonly: true });
  const all = (sql: string) => db.prepare(sql).raw().all() as readonly unknown[][];
  const staged = {
    messages:
      all(`SELECT m.muid, m.verdict, m.reason, m.detail, m.payload, m.sort_key, m.facts, f.path, m.place, c.source_id,
        p.source_id, m.vanished, m.stale FROM message m JOIN source_file f ON f.id = m.file
      LEFT JOIN conversation c ON c.id = m.conversation LEFT JOIN person p ON p.id = m.sender
      ORDER BY CAST(m.place AS INTEGER), m.place, m.muid`),
    count: all('SELECT count(*) FROM message'),
    problems: all('SELECT code, place, reason, count FROM problem ORDER BY code, place, reason, count'),
    people: all('SELECT source_id, uid, name, details, record, is_placeholder FROM person ORDER BY source_id'),
    conversations:
      all(`SELECT c.source_id, c.type, c.name, c.receiver_type, c.guid, a.source_id, b.source_id, c.details, c.record,
        c.is_placeholder, c.priority FROM conversation c LEFT JOIN person a ON a.id = c.person_a
      LEFT JOIN person b ON b.id = c.person_b ORDER BY c.source_id`),
    counts: all(
      `SELECT key, value FROM meta WHERE key IN ('silentMembers', 'silentReactions', 'orphanReplies') ORDER BY key`,
    ),
    hosts: all('SELECT host, sum(count) FROM attachment_host GROUP BY host ORDER BY host'),
    files: all(`SELECT path, role, size_bytes FROM source_file WHERE role <> 'rest'`),
  };
  db.close();
  return staged;
}
