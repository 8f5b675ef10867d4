import { defineSource } from '../source.ts';
import { lineCodes } from './codes.ts';
import { lineOptionsSchema } from './options.ts';
import { lateProbe, lateRead } from '../kit/on-demand.ts';

/** Chats that LINE exported, as `format.ts` says. */
export const line = defineSource({
  name: 'line',
  title: 'LINE (exported chats)',
  what: 'chats that LINE exported as text on phones and computers, in English, Japanese, Chinese and Thai',
  notes: 'six dialects of one chat, calls and lines of the app, files by name',
  sortKeys: 'always',
  isName: () => true,
  options: lineOptionsSchema,
  codes: lineCodes,
  probe: lateProbe(/\.txt$|(?:^|\/)[^./]+$/i, () => import('./probe.ts')),
  read: lateRead(() => import('./read.ts')),
});
