import { z } from 'zod';

export const imessageOptionsSchema = z.strictObject({
  me: z
    .string()
    .default('')
    .describe('Your own name: the database has addresses alone, and yours by no name. Default "Me".'),
  notSent: z
    .enum(['keep', 'skip'])
    .default('keep')
    .describe(
      'Messages of yours that were not sent, or whose delivery failed: keep sends them, skip leaves them out and counts them. Default keep, and the report asks.',
    ),
});

export type ImessageOptions = z.output<typeof imessageOptionsSchema>;
