import { z } from 'zod';
import { choiceOption, textOption } from '../kit/options.ts';
import { zoneSchema } from '../kit/time/time-reading.ts';

export const kakaotalkOptionsSchema = z.lazy(() =>
  z.strictObject({
    zone: zoneSchema.describe(
      'Time zone of the phone or computer when the chat was exported, such as Asia/Seoul: messages do not say it. Default UTC, and the report says so.',
    ),
    me: textOption(
      'Your own name. Phones write you as "you" or "회원님", computers by your name: set it, and both are one person. Default "Me".',
    ),
    names: z
      .array(z.string().min(1))
      .default([])
      .describe(
        'Names that have " : " in them, for chats of phones, which write "Ann : Hello": a name ends at the first " : ", and the report asks if all that a person wrote goes on alike. Others may be named too. Default none.',
      ),
    conversation: textOption(
      'Name of the chat, for a single file that does not say it, as a Mac writes. Default the name of the file. It is part of ids, so give it once and keep it.',
    ),
    sameName: choiceOption(
      ['ask', 'apart', 'together'],
      'Files of one chat name: "apart" takes them for different chats, "together" for parts of one. Default ask: parts with different numbers are one chat, others stay apart, and the report asks.',
    ),
  }),
);

export type KakaotalkOptions = z.output<typeof kakaotalkOptionsSchema>;
