import { z } from 'zod';

export const viberOptionsSchema = z.strictObject({
  me: z.string().default('').describe('Your own name. Default the one that the database has for you, else "Me".'),
  number: z
    .string()
    .default('')
    .describe(
      'Your own telephone number, for a database that does not say which contact you are. Default none: you are the contact that wrote what was sent.',
    ),
});

export type ViberOptions = z.output<typeof viberOptionsSchema>;
