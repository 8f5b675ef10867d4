import { z } from 'zod';

const count = z.number().min(0);

const about = {
  time: z.string().describe('When it was written, in UTC: 2026-11-21T16:40:41.000Z'),
  level: z.enum(['info', 'warn']),
  job: z.string().optional().describe('Of the jobs of sync: the one that this is about'),
  run: z.string().optional().describe('The run of that job, as the log and the report name it'),
};

const stageLine = z.strictObject({
  ...about,
  stage: z.string().describe('Current activity: Reading, Sending, Verifying …'),
  done: count.describe('Messages, or whatever the stage counts, so far'),
  failed: count.describe('How many of them failed'),
  total: count.nullable().describe('Total to count; null if unknown'),
  ratePerSecond: count.nullable().describe('Over the last seconds; null until it is known'),
  etaMs: count
    .nullable()
    .describe('Milliseconds until the end of the stage, from the forecast and the progress so far; null if unknown'),
  waiting: z
    .strictObject({
      reason: z.string(),
      ms: count.nullable().describe('Milliseconds that the wait still takes; null if unknown'),
    })
    .nullable()
    .describe('Why nothing moves at this moment; null while something does'),
  note: z.string().nullable(),
  finished: z.boolean().describe('The last line of this stage'),
  summary: z.string().nullable().describe('How it ended, in words; null if the count says it'),
});

const messageLine = z.strictObject({
  ...about,
  message: z.string().describe('Message for the user'),
  place: z.string().optional().describe('Where in the export a row threw an unexpected error'),
  error: z.string().optional().describe('Its class, without its message: that may quote a person'),
  stack: z.string().optional(),
});

/** A line of `--progress json`. Fields may be added, never taken away or given another meaning. */
export const progressLineSchema = z.union([stageLine, messageLine]);

export type ProgressLine = z.input<typeof progressLineSchema>;
