import { noOptions } from '../kit/options.ts';
import { defineColumnSource } from '../table-source.ts';
import { xmppCodes } from './codes.ts';
import { lateProbe, lateRead } from '../kit/on-demand.ts';

const load = () => import('./read.ts');

/** Archives of XMPP servers, as `format.ts` says. */
export const xmpp = defineColumnSource({
  name: 'xmpp',
  title: 'XMPP servers (XEP-0227, Prosody, ejabberd)',
  options: noOptions,
  codes: xmppCodes,
  probe: lateProbe(/\.(?:xml|list|csv|tsv|db|sqlite3?)$/i, () => import('./probe.ts')),
  rowsAt: async (...request) => (await load()).rowsAt(...request),
  read: lateRead(load),
});
