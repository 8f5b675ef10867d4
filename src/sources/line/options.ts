import { z } from 'zod';
import { choiceOption, textOption } from '../kit/options.ts';
import { zoneSchema } from '../kit/time/time-reading.ts';

export const lineOptionsSchema = z.lazy(() =>
  z.strictObject({
    zone: zoneSchema.describe(
      'Time zone of the phone or computer when the chat was exported, such as Asia/Tokyo: messages do not say it. Default UTC, and the report says so.',
    ),
    dates: choiceOption(
      ['as-evident', 'day-first', 'month-first'],
      'Order of day and month in headings such as "Mon, 11/03/2025". Default as-evident: the days of the week decide; if they cannot, the day comes first and the report asks.',
    ),
    me: textOption(
      'Your own name as the chats show it. A chat of two in which one person wrote is known by it. Default none: it becomes a group.',
    ),
    names: z
      .array(z.string().min(1))
      .default([])
      .describe(
        'Names of all who write, for files with spaces between time, name and text, where nothing says at which space the name ends. Default none: at the first one, and the report asks.',
      ),
    conversation: textOption(
      'Name of the chat, for a single file that does not say it. Default the name of the file. It is part of ids, so give it once and keep it.',
    ),
    sameName: choiceOption(
      ['ask', 'apart', 'together'],
      'Files of one chat name: "apart" takes them for different chats, "together" for parts of one. Default ask: they stay apart, and the report asks.',
    ),
  }),
);

export type LineOptions = z.output<typeof lineOptionsSchema>;
