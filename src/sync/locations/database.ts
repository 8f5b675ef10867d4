import { join } from 'node:path';
import { ServerInput } from '../../io/input/server-input.ts';
import { makeFolder } from '../../lib/files/make-folder.ts';
import { sha256Hex } from '../../lib/hash.ts';
import { followDatabase } from '../../sources/database-server.ts';
import type { DatabaseExport } from '../config/export-location.ts';
import { locationMemory } from '../state/location-memory.ts';
import { type Arrivals, type LocationContext, plainTake } from './location.ts';

interface DatabaseMemory {
  /** Unix ms of the last run that read everything. */
  readonly wholeAtMs?: number;
  /** Age of the oldest transaction that was open when rows were last read, in ms: it may have committed rows since. */
  readonly openTransactionMs?: number;
}

/**
 * A database server, by difference: the job keeps a copy of the columns that the mapping names, and each run asks for the rows that changed.
 * The copy is the export. It does not change while no row does, so a run without news reads nothing else.
 */
export async function openDatabaseCopy({ database }: DatabaseExport, context: LocationContext): Promise<Arrivals> {
  const { job, state, clock, signal, isFresh, source } = context;
  const { url, cursor, overlap, readWhole } = database;
  const { key, label } = new ServerInput(url);
  const folder = join(context.folder, `database-${sha256Hex(key).slice(0, 8)}`);
  const memory = locationMemory<DatabaseMemory>(state.db, job, JSON.stringify([key, cursor]));
  const before = isFresh ? {} : (memory.read() ?? {});
  const sinceWholeMs = clock.now() - (before.wholeAtMs ?? Number.NEGATIVE_INFINITY);
  // A clock that was ahead and is put right must not put it off.
  const isWhole = sinceWholeMs < 0 || sinceWholeMs >= readWhole;
  makeFolder(folder);
  // Reports name rows by it. An ending would say what the file is.
  const copy = join(folder, /^[\w-]+$/.test(label) ? label : 'database');
  const wanted = { url, source, cursor, isWhole };
  let openTransactionMs = 0;
  await followDatabase(
    copy,
    {
      ...wanted,
      backMs: overlap + (before.openTransactionMs ?? 0),
      // A process that is killed between the copy and its record goes back far enough for both.
      beforeCommit(server) {
        openTransactionMs = server?.openTransactionMs ?? 0;
        memory.write({ ...before, openTransactionMs: Math.max(openTransactionMs, before.openTransactionMs ?? 0) });
      },
    },
    signal,
  );
  memory.write({ wholeAtMs: isWhole ? clock.now() : before.wholeAtMs!, openTransactionMs });
  return plainTake([copy]);
}
