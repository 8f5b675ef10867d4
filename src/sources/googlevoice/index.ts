import { defineSource } from '../source.ts';
import { googlevoiceCodes } from './codes.ts';
import { googlevoiceOptionsSchema } from './options.ts';
import { lateProbe, lateRead } from '../kit/on-demand.ts';

/** Google Voice as Google Takeout has it, as `format.ts` says. */
export const googlevoice = defineSource({
  name: 'googlevoice',
  title: 'Google Voice (Google Takeout)',
  what: 'Google Takeout of Google Voice, folder or ZIP: text messages, groups, pictures, calls and voicemails with their transcripts',
  notes: 'conversations joined by their numbers, groups, files, calls and voicemails as lines of the app',
  sortKeys: 'always',
  options: googlevoiceOptionsSchema,
  codes: googlevoiceCodes,
  probe: lateProbe(/\.html?$/i, () => import('./probe.ts')),
  read: lateRead(() => import('./read.ts')),
});
