import { defineSource } from '../source.ts';
import { kakaotalkCodes } from './codes.ts';
import { kakaotalkOptionsSchema } from './options.ts';
import { lateProbe, lateRead } from '../kit/on-demand.ts';

/** Chats that KakaoTalk exported, as `format.ts` says. */
export const kakaotalk = defineSource({
  name: 'kakaotalk',
  title: 'KakaoTalk (exported chats)',
  isName: (id) => id !== 'self',
  options: kakaotalkOptionsSchema,
  codes: kakaotalkCodes,
  probe: lateProbe(/\.(?:txt|csv)$/i, () => import('./probe.ts')),
  read: lateRead(() => import('./read.ts')),
});
