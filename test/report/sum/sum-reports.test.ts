import { describe, expect, it } from 'vitest';
import { actionKinds } from '../../../src/model/action.ts';
import { renderSummary } from '../../../src/report/render/terminal.ts';
import { type ReportData, reportDataSchema } from '../../../src/report/report-data.ts';
import { sumReports } from '../../../src/report/sum/sum-reports.ts';
import { onePerSource } from '../../contracts/samples.ts';
import { everyNth } from '../../tier.ts';
import { partsOf, planPart, planSample } from '../../scenes/parts-scene.ts';
import { temporaryFolder } from '../../scenes/temporary-folder.ts';
import { sceneRecords } from '../../scenes/actions-scene.ts';
import { writeRecords } from '../../scenes/write-records.ts';
import { join } from 'node:path';

const home = temporaryFolder();

const samples = everyNth(3, onePerSource());

type Reports = readonly [ReportData, ...ReportData[]];

/** Counts by name, whatever their order. */
const countsOf = (rows: readonly { readonly count: number }[], name: string) =>
  Object.fromEntries(rows.map((row) => [(row as unknown as Record<string, string>)[name], row.count]));

/** What a sum has in common with the report of one store. */
const comparable = (report: ReportData) => ({
  books: report.books,
  skipped: countsOf(report.skipped, 'code'),
  rejected: countsOf(report.rejected, 'code'),
  conversationCount: report.conversationCount,
  plannedConversationCount: report.plannedConversationCount,
  conversations: report.conversations.map(({ id, read, planned }) => `${id} ${read} ${planned}`).sort(),
  months: report.months,
  kinds: countsOf(report.kinds, 'kind'),
  authors: countsOf(report.authors, 'uid'),
  hosts: countsOf(report.attachmentHosts, 'host'),
  bytes: report.forecast.bytes,
});

describe('sumReports()', () => {
  it.each(samples)('makes of the parts of $source/$name the report of one store', async (sample) => {
    const folder = home.make();
    const whole = (await planSample(sample, folder)).report;
    const reports: ReportData[] = [];
    for (const part of partsOf(3)) reports.push((await planSample(sample, folder, part)).report);
    const sum = sumReports(reports as unknown as Reports);
    expect(reportDataSchema.parse(sum)).toEqual(sum);
    expect(comparable(sum)).toEqual(comparable(whole));
    expect(sum.exports).toEqual(whole.exports);
    expect(renderSummary(sum, { columns: 120, color: false })).not.toContain('part 3 of 3');
  });

  it('adds up actions, and is the report itself where there is one', async () => {
    const folder = home.make();
    const from = [writeRecords(join(folder, 'export.ndjson'), sceneRecords)];
    const asked = { from, actions: actionKinds };
    const whole = (await planPart(folder, undefined, asked)).report;
    const placed = { room: 0, pair: 1 };
    const reports: ReportData[] = [];
    for (const part of partsOf(2)) reports.push((await planPart(folder, { ...part, placed }, asked)).report);
    const sum = sumReports(reports as unknown as Reports);
    expect(sum.actions).toEqual(whole.actions);
    expect(sum.requests).toEqual(whole.requests);
    expect(sumReports([whole])).toMatchObject({ books: whole.books, store: whole.store, actions: whole.actions });
  });
});
