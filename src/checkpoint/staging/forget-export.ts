import type { Database } from 'better-sqlite3';

/** Empties the books of the export, for a plan under other rules. Only where nothing was ever sent. */
export function forgetExport(db: Database): void {
  for (const table of [
    'action_delivery',
    'action',
    'relation',
    'message',
    'problem',
    'drift',
    'export_gap',
    'attachment_host',
    'source_file',
    'source_input',
    'delivery',
    'conversation_delivery',
    'person_delivery',
    'conversation',
    'person',
  ]) {
    db.exec(`DELETE FROM ${table}`);
  }
}
