import type { ReportGroup } from '../report-data.ts';

/** The groups that matter this much, in their order. */
export const ofSeverity = (
  groups: readonly ReportGroup[],
  ...wanted: readonly ReportGroup['severity'][]
): readonly ReportGroup[] => groups.filter(({ severity }) => wanted.includes(severity));
