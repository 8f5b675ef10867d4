import { defineSource } from '../source.ts';
import { googlevoiceCodes } from './codes.ts';
import { googlevoiceOptionsSchema } from './options.ts';
import { lateProbe, lateRead } from '../kit/on-demand.ts';

/** Google Voice as Google Takeout has it, as `format.ts` says. */
export const googlevoice = defineSource({
  name: 'googlevoice',
  title: 'Google Voice (Google Takeout)',
  options: googlevoiceOptionsSchema,
  codes: googlevoiceCodes,
  probe: lateProbe(/\.html?$/i, () => import('./probe.ts')),
  read: lateRead(() => import('./read.ts')),
});
