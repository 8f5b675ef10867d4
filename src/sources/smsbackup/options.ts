import { z } from 'zod';

export const smsbackupOptionsSchema = z.strictObject({
  me: z.string().default('').describe('Your own name, which no backup has. Default "Me".'),
  own: z
    .array(z.string())
    .default([])
    .describe(
      'Your own telephone numbers. Default those from which the backup says that you sent an MMS. Name them if you appear as a member of your groups.',
    ),
  unsent: z
    .enum(['skip', 'keep'])
    .default('skip')
    .describe(
      'Drafts, and messages that failed or were waiting: skip leaves them out and counts them, keep sends them as if they were sent. Default skip.',
    ),
});

export type SmsbackupOptions = z.output<typeof smsbackupOptionsSchema>;
