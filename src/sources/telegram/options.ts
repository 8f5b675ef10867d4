import { z } from 'zod';
import { zoneSchema } from '../kit/time/time-reading.ts';

export const telegramOptionsSchema = z.lazy(() =>
  z.strictObject({
    self: z
      .union([z.string(), z.int().positive()])
      .optional()
      .describe(
        'Your own id, such as user123: the owner of the export. Default: the owner that an export of the whole account names, or the other author in a chat of two. Set it if you never wrote in a chat.',
      ),
    zone: zoneSchema.describe(
      'Time zone of the computer that made the export, such as Europe/Berlin: exports of before 2022 say no other. Default UTC, and the report says so.',
    ),
  }),
);

export type TelegramOptions = z.output<typeof telegramOptionsSchema>;
