import { z } from 'zod';
import { zoneSchema } from '../kit/time/time-reading.ts';

export const whatsappOptionsSchema = z.strictObject({
  zone: zoneSchema.describe(
    'Time zone of the phone when the chat was exported, such as Europe/Berlin: messages do not say it. Default UTC, and the report says so.',
  ),
  dates: z
    .enum(['as-evident', 'day-first', 'month-first', 'year-first'])
    .default('as-evident')
    .describe(
      'Order of day and month in dates such as 3/4/24. Default as-evident: the dates of each file decide, and where they cannot the day comes first and the report asks. Set it where the report asks.',
    ),
  me: z
    .string()
    .default('')
    .describe(
      'Your own name as the chats show it. A chat of two in which only the other person wrote is known by it. Default none: it becomes a group.',
    ),
  conversation: z
    .string()
    .default('')
    .describe(
      'Name of the chat where you pass a single "_chat.txt", which does not say it. Default the name of its folder. It is part of ids, so give it once and keep it.',
    ),
});

export type WhatsappOptions = z.output<typeof whatsappOptionsSchema>;
