import { z } from 'zod';

export const twilioOptionsSchema = z.strictObject({
  unsent: z
    .enum(['skip', 'keep'])
    .default('skip')
    .describe(
      'Text messages that failed, were not delivered, or were still waiting: skip leaves them out and counts them, keep sends them as if they were sent. Default skip.',
    ),
});

export type TwilioOptions = z.output<typeof twilioOptionsSchema>;
