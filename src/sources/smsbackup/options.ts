import { z } from 'zod';
import { choiceOption, textOption } from '../kit/options.ts';

export const smsbackupOptionsSchema = z.lazy(() =>
  z.strictObject({
    me: textOption('Your own name, which no backup has. Default "Me".'),
    own: z
      .array(z.string())
      .default([])
      .describe(
        'Your own telephone numbers. Default those from which the backup says that you sent an MMS. Name them if you appear as a member of your groups.',
      ),
    unsent: choiceOption(
      ['skip', 'keep'],
      'Drafts, and messages that failed or were waiting: skip leaves them out and counts them, keep sends them as if they were sent. Default skip.',
    ),
  }),
);

export type SmsbackupOptions = z.output<typeof smsbackupOptionsSchema>;
