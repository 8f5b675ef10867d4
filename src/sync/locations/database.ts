import { join } from 'node:path';
import { serverInput } from '../../io/input/server-input.ts';
import { makeFolder } from '../../lib/files/make-folder.ts';
import { sha256Hex } from '../../lib/hash.ts';
import { formatDuration } from '../../lib/text/quantity.ts';
import { followDatabase, type ServerClock } from '../../sources/database-server.ts';
import type { DatabaseExport } from '../config/export-location.ts';
import type { RunNote } from '../job-result.ts';
import { locationMemory } from '../state/location-memory.ts';
import { type Arrivals, type LocationContext, plainTake } from './location.ts';

interface DatabaseMemory {
  /** Unix ms of the last run that read everything. */
  readonly wholeAtMs?: number;
  /** Age of the oldest transaction that was open when rows were last read, in ms: it may have committed rows since. */
  readonly openTransactionMs?: number;
  /** Prepared transactions that were open then. Nothing shows when one began: what it commits may have any older time. */
  readonly prepared?: readonly string[];
}

/**
 * A database server, by difference: the job keeps a copy of the columns that the mapping names, and each run asks for the rows that changed.
 * The copy is the export. It does not change while no row does, so a run without news reads nothing else.
 */
export async function openDatabaseCopy({ database }: DatabaseExport, context: LocationContext): Promise<Arrivals> {
  const { job, state, clock, signal, isFresh, source } = context;
  const { url, cursor, overlap, readWhole } = database;
  const { key, label } = serverInput(url);
  const folder = join(context.folder, `database-${sha256Hex(key).slice(0, 8)}`);
  const memory = locationMemory<DatabaseMemory>(state.db, job, JSON.stringify([key, cursor]));
  const before = isFresh ? {} : (memory.read() ?? {});
  const sinceWholeMs = clock.now() - (before.wholeAtMs ?? Number.NEGATIVE_INFINITY);
  // A clock that was ahead and is put right must not put it off.
  let isWhole = sinceWholeMs < 0 || sinceWholeMs >= readWhole;
  makeFolder(folder);
  // Reports name rows by it. An ending would say what the file is.
  const copy = join(folder, /^[\w-]+$/.test(label) ? label : 'database');
  const { openTransactionMs: openBeforeMs = 0, prepared: preparedBefore = [] } = before;
  const notes: RunNote[] = [];
  let now: Required<Pick<DatabaseMemory, 'openTransactionMs' | 'prepared'>> = { openTransactionMs: 0, prepared: [] };
  await followDatabase(
    copy,
    {
      ...{ url, source, cursor, backMs: overlap + openBeforeMs },
      isWhole(server) {
        now = { openTransactionMs: server?.openTransactionMs ?? 0, prepared: server?.prepared ?? [] };
        const isEnded = preparedBefore.some((id) => !now.prepared.includes(id));
        if (isEnded && !isWhole) notes.push(readWholeNow);
        if (server?.hidden) notes.push(lateCommits(server.hidden, database));
        isWhole ||= isEnded;
        return isWhole;
      },
      // A process that is killed between the copy and its record goes back far enough for both.
      beforeCommit() {
        const openTransactionMs = Math.max(now.openTransactionMs, openBeforeMs);
        memory.write({ ...before, openTransactionMs, prepared: [...preparedBefore, ...now.prepared] });
      },
    },
    signal,
  );
  memory.write({ wholeAtMs: isWhole ? clock.now() : before.wholeAtMs!, ...now });
  return { ...plainTake([copy]), notes };
}

const readWholeNow: RunNote = {
  code: 'read-whole',
  message: 'Everything was read: a prepared transaction has ended, and nothing shows how old the times of its rows are',
  hint: null,
};

const lateCommits = (
  { reason, remedy }: NonNullable<ServerClock['hidden']>,
  { overlap, readWhole }: DatabaseExport['database'],
): RunNote => ({
  code: 'late-commits',
  message: `Rows that are committed more than ${formatDuration(overlap)} after their time are found only when everything is read, every ${formatDuration(readWhole)}: ${reason}`,
  hint: `${remedy}, or make "overlap" longer than your longest transaction`,
});
