/** Shapes in which a report is written. */
export const reportFormats = ['html', 'json', 'csv', 'markdown', 'junit'] as const;
export type ReportFormat = (typeof reportFormats)[number];
