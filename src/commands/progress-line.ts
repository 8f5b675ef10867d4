import { z } from 'zod';

const count = z.number().min(0);

const stageLine = z.strictObject({
  stage: z.string().describe('Current activity: Reading, Sending, Verifying …'),
  done: count.describe('Messages, or whatever the stage counts, so far'),
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
});

const messageLine = z.strictObject({ message: z.string().describe('Message for the user') });

/** A line of `--progress json`. Fields may be added, never taken away or given another meaning. */
export const progressLineSchema = z.union([stageLine, messageLine]);

export type ProgressLine = z.input<typeof progressLineSchema>;
