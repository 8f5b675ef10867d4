import { defineSource } from '../source.ts';
import { whatsappCodes } from './codes.ts';
import { whatsappOptionsSchema } from './options.ts';
import { lateProbe, lateRead } from '../kit/on-demand.ts';

/** Chats that phones exported as text, as `format.ts` says. */
export const whatsapp = defineSource({
  name: 'whatsapp',
  title: 'WhatsApp ("Export chat")',
  isName: (id) => !/^[+\d\s().\u2010-\u2015-]+$/.test(id),
  options: whatsappOptionsSchema,
  codes: whatsappCodes,
  probe: lateProbe(/\.txt$/i, () => import('./probe.ts')),
  read: lateRead(() => import('./read.ts')),
});
