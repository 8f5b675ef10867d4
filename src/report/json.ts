import { z } from 'zod';
import { type ReportData, reportDataSchema } from './report-data.ts';

/** The report as JSON: checked, with keys in the order of the schema, so that two reports can be compared line by line. */
export function renderJson(data: ReportData): string {
  return `${JSON.stringify(reportDataSchema.parse(data), null, 2)}\n`;
}

/** Returns the JSON Schema (draft 2020-12) of `report.json`. Published as `docs/reference/schemas/report.schema.json`. */
export function reportJsonSchema(): Readonly<Record<string, unknown>> {
  const { $schema, ...schema } = z.toJSONSchema(reportDataSchema);
  return {
    $schema,
    title: 'Chatferry report',
    description: 'Result of every message. Counts are messages unless stated otherwise; times are epoch milliseconds.',
    ...schema,
  };
}
