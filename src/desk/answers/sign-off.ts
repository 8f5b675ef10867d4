import { existsSync } from 'node:fs';
import { z } from 'zod';
import { ChatferryError, UsageError } from '../../lib/errors.ts';
import { signOff } from '../../report/decision-log.ts';
import type { ReportData } from '../../report/report-data.ts';
import { type Links, renderSections } from '../../report/sections.ts';
import { judgeReport } from '../../report/verdict.ts';
import { choices } from '../choices.ts';
import { isUnconfirmed, matchesPlan } from '../files/steps.ts';
import type { ReportView, SignOffRoutes } from '../shapes.ts';
import { byName, changeFiles, readVersion } from './changes.ts';
import { Download } from './download.ts';
import { checkedBody, toDeskError } from './faults.ts';
import type { Parts } from './parts.ts';
import type { AnswersTo } from './routes.ts';

type SignOffAnswers = AnswersTo<SignOffRoutes> & {
  readonly 'GET report.html': (search: URLSearchParams) => Promise<Download>;
};

export const signOffAnswers = (parts: Parts): SignOffAnswers => ({
  'GET report': (search) =>
    reportView(
      parts,
      search.get('of') === 'rehearsal' ? 'rehearsal' : 'plan',
      (search.get('sections') ?? '').split(' '),
    ),
  'POST sign-off': (_, body) => sign(parts, checkedBody(signOffRequest, body)),
  'GET report.html': (search) => reportFile(parts, search.get('anonymous') !== '0'),
});

const note = z.string().trim().max(1_000);
const signOffRequest = z.strictObject({ version: z.string(), by: byName, note });

async function reportView(parts: Parts, of: ReportView['of'], names: readonly string[]): Promise<ReportView> {
  const version = readVersion(parts);
  const { workspace } = parts;
  const report = workspace.report(of);
  if (report === null)
    return { version, of, verdict: '', tone: null, sections: '', isCurrent: false, report: null, error: null };
  const isCurrent = of === 'plan' ? await isPlanCurrent(parts) : matchesPlan(report, workspace.report('plan'));
  const shown = of === 'plan' ? await decided(parts, report) : { report, error: null };
  const { sentence: verdict, tone } = judgeReport(shown.report);
  const sections = renderSections(shown.report, names, linksFrom(parts, shown.report));
  return { version, of, verdict, tone, sections, isCurrent, ...shown };
}

const keys = new Set(Object.values(choices).flatMap((list) => list.map(({ key }) => key)));

/** Addresses of this page, as `page/route.ts` reads them. */
const linksFrom = ({ chats }: Parts, { decisions }: ReportData): Links => ({
  toMessage: chats.of === null ? undefined : (location) => `/m/${encodeURIComponent(location)}`,
  toSetting(key) {
    const decision = decisions.find(({ options }) =>
      options.some(({ effect }) => 'sets' in effect && Object.hasOwn(effect.sets, key)),
    );
    if (decision) return `/decide/${encodeURIComponent(decision.id)}`;
    return keys.has(key) ? `/choices/${key}` : undefined;
  },
});

/** Whether the next plan would have the rules of the latest one. */
async function isPlanCurrent({ engine, workspace }: Parts): Promise<boolean> {
  const { store, mapping } = workspace.options();
  return existsSync(store) && (await engine.call('isPlanOfMapping', { store, mapping, exports: workspace.exports() }));
}

/** The report with the decisions of this moment; as it was written if the store cannot be read. */
async function decided(
  { engine, workspace }: Parts,
  report: ReportData,
): Promise<Pick<ReportView, 'error'> & { readonly report: ReportData }> {
  try {
    const { store } = workspace.paths();
    return { report: await engine.call('reportWithDecisions', { store, report }), error: null };
  } catch (error) {
    if (!(error instanceof ChatferryError)) throw error;
    return { report, error: toDeskError(error) };
  }
}

/** Signs the plan that the page has shown. The report says so from then on. */
const sign = (parts: Parts, { version, by, note }: z.output<typeof signOffRequest>): Promise<ReportView> =>
  changeFiles(parts, version, async () => {
    const { engine, workspace, now } = parts;
    const report = plannedReport(parts);
    const { store } = workspace.paths();
    if (report.pins === null) throw new UsageError('Cannot sign off: the plan has not read everything');
    if (isUnconfirmed(report))
      throw new UsageError('Cannot sign off: nobody has confirmed how the rows are read', { hint: 'Decide first' });
    if (!(await isPlanCurrent(parts)))
      throw new UsageError('Cannot sign off: the answers have changed since the plan', { hint: 'Plan again' });
    signOff(store, { by, note, atMs: now(), pins: report.pins, totals: report.totals });
    await engine.call('noteSignOff', { store, report, folder: workspace.reportFolder() });
    return await reportView(parts, 'plan', []);
  });

/** @throws UsageError if there is no plan. */
function plannedReport({ workspace }: Parts): ReportData {
  const report = workspace.report('plan');
  if (report === null) throw new UsageError('There is no report yet', { hint: 'Plan the export first' });
  return report;
}

async function reportFile(parts: Parts, isAnonymous: boolean): Promise<Download> {
  const { store } = parts.workspace.paths();
  const text = await parts.engine.call('reportPage', { store, report: plannedReport(parts), isAnonymous });
  const fileName = isAnonymous ? 'chatferry-report-anonymous.html' : 'chatferry-report.html';
  return new Download({ fileName, type: 'text/html', text });
}
