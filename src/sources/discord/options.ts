import { z } from 'zod';

export const discordOptionsSchema = z.lazy(() =>
  z.strictObject({
    threads: z
      .enum(['replies', 'conversations'])
      .default('replies')
      .describe(
        'How to import open threads and posts of forums: as replies in their channel, or as conversations of their own. Default replies. ' +
          'Private threads are conversations of their own either way. Decide before the first import: it is part of the ids of messages.',
      ),
    account: z
      .string()
      .regex(/^\d{1,20}$/, { error: 'expected the id of an account, such as 300000000000000001' })
      .optional()
      .describe(
        'Id of the account that made the export, where nothing says it. Default none: a direct conversation in which only one person wrote becomes a group. ' +
          'Discord shows it with "Copy User ID", in developer mode.',
      ),
  }),
);
export type DiscordOptions = z.output<typeof discordOptionsSchema>;
