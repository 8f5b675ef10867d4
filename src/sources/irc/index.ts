import { defineSource } from '../source.ts';
import { ircCodes } from './codes.ts';
import { ircOptionsSchema } from './options.ts';
import { lateProbe, lateRead } from '../kit/on-demand.ts';

/** Logs of IRC channels and queries, as `dialects.ts` says. */
export const irc = defineSource({
  name: 'irc',
  title: 'IRC logs (irssi, WeeChat, ZNC, mIRC, HexChat, The Lounge, …)',
  isName: () => true,
  options: ircOptionsSchema,
  codes: ircCodes,
  probe: lateProbe(/\.(?:log|txt|weechatlog|html)(?:\.gz)?$|\.log\.|(?:^|\/)[#&]/i, () => import('./probe.ts')),
  read: lateRead(() => import('./read.ts')),
});
