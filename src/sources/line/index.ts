import { defineSource } from '../source.ts';
import { lineCodes } from './codes.ts';
import { lineOptionsSchema } from './options.ts';
import { lateProbe, lateRead } from '../kit/on-demand.ts';

/** Chats that LINE exported, as `format.ts` says. */
export const line = defineSource({
  name: 'line',
  title: 'LINE (exported chats)',
  isName: () => true,
  options: lineOptionsSchema,
  codes: lineCodes,
  probe: lateProbe(/\.txt$|(?:^|\/)[^./]+$/i, () => import('./probe.ts')),
  read: lateRead(() => import('./read.ts')),
});
