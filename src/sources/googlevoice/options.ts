import { z } from 'zod';

export const googlevoiceOptionsSchema = z.strictObject({
  me: z.string().default('').describe('Your own name: pages call you "Me". Default the name in Phones.vcf, else "Me".'),
});

export type GooglevoiceOptions = z.output<typeof googlevoiceOptionsSchema>;
