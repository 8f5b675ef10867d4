import type { ReportData } from '../../report/report-data.ts';
import type { DeskError } from './state.ts';

export interface ReportView {
  readonly of: 'plan' | 'rehearsal';
  readonly verdict: string;
  readonly isGood: boolean;
  readonly isCurrent: boolean;
  readonly report: ReportData | null;
  readonly error: DeskError | null;
}

export interface SignOffRoutes {
  'GET report': ReportView;
  'POST sign-off': ReportView;
}
