import { z } from 'zod';
import { textOption } from '../kit/options.ts';

export const viberOptionsSchema = z.lazy(() =>
  z.strictObject({
    me: textOption('Your own name. Default the one that the database has for you, else "Me".'),
    number: textOption(
      'Your own telephone number, for a database that does not say which contact you are. Default none: you are the contact that wrote what was sent.',
    ),
  }),
);

export type ViberOptions = z.output<typeof viberOptionsSchema>;
