import { z } from 'zod';
import { choiceOption, textOption } from '../kit/options.ts';
import { zoneSchema } from '../kit/time/time-reading.ts';

export const whatsappOptionsSchema = z.lazy(() =>
  z.strictObject({
    zone: zoneSchema.describe(
      'Time zone of the phone when the chat was exported, such as Europe/Berlin: messages do not say it. Default UTC, and the report says so.',
    ),
    dates: choiceOption(
      ['as-evident', 'day-first', 'month-first', 'year-first'],
      'Order of day and month in dates such as 3/4/24. Default as-evident: the dates of each file decide; if they cannot, the day comes first and the report asks. Set it if the report asks.',
    ),
    me: textOption(
      'Your own name as the chats show it. A chat of two in which only the other person wrote is known by it. Default none: it becomes a group.',
    ),
    sameName: choiceOption(
      ['ask', 'apart', 'together'],
      'Files of one chat name, in one export or in several that are read together: "apart" takes those without a common message for different chats, "together" takes all for one. Default ask: they stay apart, and the report asks.',
    ),
    unknownLines: choiceOption(
      ['ask', 'people', 'app'],
      'Lines that may be words of the app or of a person: "people" sends them as the person\'s, "app" treats them as the app\'s, which are left out unless messages.system is keep. Default ask: they are sent, and the report asks.',
    ),
    otherForms: choiceOption(
      ['ask', 'text', 'messages'],
      'Lines that begin like messages, with the date in another form than most: "text" takes them for a part of the message above, "messages" for messages of their own. Default ask: they are a part of the message above, and the report asks.',
    ),
    conversation: textOption(
      'Name of the chat where you pass a single "_chat.txt", which does not say it. Default the name of its folder. It is part of ids, so give it once and keep it.',
    ),
  }),
);

export type WhatsappOptions = z.output<typeof whatsappOptionsSchema>;
