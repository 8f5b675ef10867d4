import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { ReportFormat } from '../../model/report-formats.ts';
import { withDecisions } from '../../report/decision-log.ts';
import { renderHtml } from '../../report/html.ts';
import type { ReportData } from '../../report/report-data.ts';
import { withoutPeople } from '../../report/without-people.ts';
import { writeReport } from '../../report/write.ts';

export interface AboutReport {
  /** Path of the store that the report is about. */
  readonly store: string;
  readonly report: ReportData;
}

/** What the engine can be asked about reports. */
export const reportCalls = {
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
