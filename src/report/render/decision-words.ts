import type { ReportData } from '../report-data.ts';
import { formatUtc } from '../format.ts';

type GivenAnswer = NonNullable<ReportData['answers']>[number];

/** Whether the latest plan has a decision. */
export const describeCurrent = ({ holds }: Pick<GivenAnswer, 'holds'>): string =>
  holds === null ? '–' : holds ? 'as decided' : 'otherwise: the mapping changed since';

/** `Signed off by Ana, 2026-03-01 12:00 UTC: looks right. The plan changed since.` */
export function signedOffText({ by, note, atMs, isCurrent }: NonNullable<ReportData['signedOff']>): string {
  const words = `Signed off by ${by}, ${formatUtc(atMs)}${note === '' ? '' : `: ${note}`}`;
  return `${words}${/[.!?]$/.test(words) ? '' : '.'}${isCurrent ? '' : ' The plan changed since.'}`;
}
