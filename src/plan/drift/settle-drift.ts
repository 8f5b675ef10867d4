import type { Database } from 'better-sqlite3';
import { closeExportGaps, noteExportGaps } from '../../checkpoint/staging/export-window.ts';
import { placeFollowUps } from '../../checkpoint/staging/follow-ups.ts';
import { readMeta } from '../../checkpoint/base/meta.ts';
import type { ExportSpan } from '../../model/change.ts';
import type { DriftNotes } from './drift-notes.ts';

/** What can only be said of a changing source once everything is read. Inside the caller's transaction. */
export function settleDrift(db: Database, notes: DriftNotes, exportKeeps: ExportSpan = 'everything'): void {
  notes.vanished();
  placeFollowUps(db);
  const knownUpTo = Number(readMeta(db, 'knownUpTo') ?? 0);
  if (exportKeeps === 'recent' && knownUpTo > 0) noteExportGaps(db, knownUpTo);
  closeExportGaps(db);
}
