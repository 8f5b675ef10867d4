import { z } from 'zod';
import { defineSource } from '../source.ts';
import { xmppCodes } from './codes.ts';
import { lateProbe, lateRead } from '../kit/on-demand.ts';

const load = () => import('./read.ts');

/** Archives of XMPP servers, as `format.ts` says. */
export const xmpp = defineSource({
  name: 'xmpp',
  title: 'XMPP servers (XEP-0227, Prosody, ejabberd)',
  what: 'archives of XMPP servers: XEP-0227, the files and the SQL table of Prosody, the `archive` table of ejabberd as CSV or SQLite',
  notes:
    'one message of several copies, rooms and nicks, private messages inside of rooms, corrections, reactions, encrypted messages',
  sortKeys: 'always',
  options: z.strictObject({}),
  codes: xmppCodes,
  probe: lateProbe(/\.(?:xml|list|csv|tsv|db|sqlite3?)$/i, () => import('./probe.ts')),
  rowsAt: async (...request) => (await load()).rowsAt(...request),
  read: lateRead(load),
});
