import { z } from 'zod';
import { zoneSchema } from '../kit/time-reading.ts';

export const signalOptionsSchema = z.strictObject({
  zone: zoneSchema.describe(
    'Time zone of the computer on which signal-export ran, such as Europe/Berlin: its files say no other. Default UTC, and the report says so. Exports of Signal itself do not need it.',
  ),
  me: z
    .string()
    .default('')
    .describe(
      'Your own name, which signal-export writes as "Me" and messages of the database do not have. Default what an export of Signal itself says, else "Me".',
    ),
});

export type SignalOptions = z.output<typeof signalOptionsSchema>;
