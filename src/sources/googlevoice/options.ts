import { z } from 'zod';
import { textOption } from '../kit/options.ts';

export const googlevoiceOptionsSchema = z.lazy(() =>
  z.strictObject({
    me: textOption('Your own name: pages call you "Me". Default the name in Phones.vcf, else "Me".'),
  }),
);

export type GooglevoiceOptions = z.output<typeof googlevoiceOptionsSchema>;
