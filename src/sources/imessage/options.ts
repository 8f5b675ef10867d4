import { z } from 'zod';
import { choiceOption, textOption } from '../kit/options.ts';

export const imessageOptionsSchema = z.lazy(() =>
  z.strictObject({
    me: textOption('Your own name: the database has addresses alone, and yours by no name. Default "Me".'),
    notSent: choiceOption(
      ['keep', 'skip'],
      'Messages of yours that were not sent, or whose delivery failed: keep sends them, skip leaves them out and counts them. Default keep, and the report asks.',
    ),
  }),
);

export type ImessageOptions = z.output<typeof imessageOptionsSchema>;
