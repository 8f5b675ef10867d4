import { z } from 'zod';
import { choiceOption, textOption } from '../kit/options.ts';
import { isEncoding } from '../../io/text-encoding.ts';
import { zoneSchema } from '../kit/time/time-reading.ts';

export const ircOptionsSchema = z.lazy(() =>
  z.strictObject({
    zone: zoneSchema.describe(
      'Time zone of the clock that wrote the logs, such as Europe/Berlin: lines seldom say it. Default UTC, and the report says so.',
    ),
    network: textOption(
      'Name of the network if no folder and no file name gives it. Default none. It is part of the ids of conversations, so set it once and keep it.',
    ),
    nick: textOption(
      'Your own nick. Logs of queries are called after the other person; with your nick they become chats of two. Default none: they become groups.',
    ),
    people: choiceOption(
      ['one-per-nick', 'one-per-network'],
      'Meaning of the same nick on two networks. Default one-per-nick: the same person. one-per-network: two people; ids are then "network/nick".',
    ),
    encoding: z
      .string()
      .refine(isEncoding, { error: 'expected windows-1252, windows-1251, iso-8859-2, …' })
      .default('windows-1252')
      .describe(
        'Encoding of lines that are not UTF-8: one log may hold both. Default windows-1252, and the report names them.',
      ),
  }),
);

export type IrcOptions = z.output<typeof ircOptionsSchema>;
