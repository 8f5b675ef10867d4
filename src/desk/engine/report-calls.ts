import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { openStoreToRead } from '../../store/open.ts';
import { readTrust } from '../../config/trusted-files.ts';
import { ChatferryError } from '../../lib/errors.ts';
import { loadMapping, type Mapping } from '../../mapping/load.ts';
import type { ReportFormat } from '../../model/report-formats.ts';
import { withDecisions } from '../../report/decision-log.ts';
import { renderHtml } from '../../report/html.ts';
import { type ReportData, withoutPeople } from '../../report/report-data.ts';
import { writeReport } from '../../report/report-files.ts';

export interface AboutReport {
  /** Path of the store that the report is about. */
  readonly store: string;
  readonly report: ReportData;
}

export interface AboutMapping {
  /** Path of the store with the plan. */
  readonly store: string;
  /** Path of the mapping; undefined if there is none. */
  readonly mapping: string | undefined;
  readonly exports: readonly string[];
}

/** Calls about plans and their reports. */
export const reportCalls = {
  /** Whether the latest plan was made with the mapping and the table of uids as they are now. @throws StoreError */
  async isPlanOfMapping({ store: path, mapping: file, exports }: AboutMapping): Promise<boolean> {
    let mapping: Mapping;
    try {
      mapping = await loadMapping(file, { exports, trust: readTrust });
    } catch (error) {
      // Something in it is still to be decided, or wrong: it cannot be the one of a plan.
      if (error instanceof ChatferryError) return false;
      throw error;
    }
    const store = openStoreToRead(path);
    try {
      return store.facts.read('mappingHash') === mapping.hash;
    } finally {
      store.close();
    }
  },

  /** The report with the decisions of this moment. @throws StoreError */
  reportWithDecisions: async ({ store, report }: AboutReport): Promise<ReportData> => withDecisions(report, store),

  /** The same as one file to pass on. @throws StoreError */
  async reportPage({ store, report, isAnonymous }: AboutReport & { readonly isAnonymous: boolean }): Promise<string> {
    const decided = withDecisions(report, store);
    return renderHtml(isAnonymous ? withoutPeople(decided) : decided);
  },

  /** Writes the files of a report again, with the decisions of this moment. @throws StoreError */
  async noteSignOff({ store, report, folder }: AboutReport & { readonly folder: string }): Promise<ReportData> {
    const decided = withDecisions(report, store);
    const formats = fileNames.flatMap(([name, format]) => (existsSync(join(folder, name)) ? [format] : []));
    await writeReport(folder, decided, { formats });
    return decided;
  },
};

/** Files of a report that show decisions. */
const fileNames: readonly (readonly [name: string, format: ReportFormat])[] = [
  ['report.html', 'html'],
  ['report.json', 'json'],
  ['report.md', 'markdown'],
];
