import { defineSource } from '../source.ts';
import { kakaotalkCodes } from './codes.ts';
import { kakaotalkOptionsSchema } from './options.ts';
import { lateProbe, lateRead } from '../kit/on-demand.ts';

/** Chats that KakaoTalk exported, as `format.ts` says. */
export const kakaotalk = defineSource({
  name: 'kakaotalk',
  title: 'KakaoTalk (exported chats)',
  what: 'chats that KakaoTalk exported as text on Android, iOS and Windows, in English and Korean, and as CSV on a Mac',
  notes: 'six dialects of one chat, who came and left, files by name',
  sortKeys: 'always',
  isName: (id) => id !== 'self',
  options: kakaotalkOptionsSchema,
  codes: kakaotalkCodes,
  probe: lateProbe(/\.(?:txt|csv)$/i, () => import('./probe.ts')),
  read: lateRead(() => import('./read.ts')),
});
