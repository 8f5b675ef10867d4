import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import type { ImportRequest } from '../../src/commands/import.ts';
import { planExport } from '../../src/commands/plan.ts';
import type { Part } from '../../src/model/part.ts';
import type { ReportData } from '../../src/report/report-data.ts';
import type { Sample } from '../contracts/samples.ts';
import { sessionRequest } from './session-request.ts';

/** What a plan holds: its report, and its rows as JSON, sorted. */
export interface Planned {
  readonly report: ReportData;
  readonly store: string;
  readonly rows: readonly string[];
}

/** Plans a sample whole, or a part of it, into a store of its own in the folder. */
export async function planSample(sample: Sample, folder: string, part?: Part): Promise<Planned> {
  const names = readdirSync(sample.folder).filter((name) => name.startsWith('export'));
  const mapping = join(sample.folder, 'mapping.yaml');
  return await planPart(folder, part, {
    from: names.sort().map((name) => join(sample.folder, name)),
    source: sample.source,
    ...(existsSync(mapping) && { mapping: readFileSync(mapping, 'utf8') }),
  });
}

export async function planPart(
  folder: string,
  part: Part | undefined,
  changes: Partial<Omit<ImportRequest, 'mapping'>> & { readonly mapping?: string } = {},
): Promise<Planned> {
  const { store = join(folder, part ? `part-${part.index}-of-${part.of}.db` : 'whole.db') } = changes;
  const { report } = await planExport(await sessionRequest(folder, { ...changes, store, ...(part && { part }) }));
  return { report, store, rows: rowsOf(store) };
}

/** What is staged of each message, whatever its number in the store. */
function rowsOf(store: string): string[] {
  const db = new Database(store, { readonly: true });
  try {
    return db
      .prepare<[], string>(
        `SELECT json_array(m.muid, m.verdict, m.reason, m.detail, m.payload, m.place, f.path, c.source_id, p.source_id)
         FROM message m JOIN source_file f ON f.id = m.file
         LEFT JOIN conversation c ON c.id = m.conversation LEFT JOIN person p ON p.id = m.sender`,
      )
      .pluck()
      .all()
      .sort();
  } finally {
    db.close();
  }
}

export const partsOf = (of: number): Part[] => Array.from({ length: of }, (_, index) => ({ index, of }));
