import type { ExportInput } from '../../io/input/export-input.ts';
import { firstDatabase } from '../kit/files/app-database-files.ts';
import { lateRead } from '../kit/on-demand.ts';
import { defineSource, type Probe } from '../source.ts';
import { viberCodes } from './codes.ts';
import { viberOptionsSchema } from './options.ts';
import { files } from './format.ts';

const load = () => import('./read.ts');

/** The database of Viber for computers, as `format.ts` says. */
export const viber = defineSource({
  name: 'viber',
  title: 'Viber (viber.db)',
  what: 'the database of Viber for computers (`viber.db`), decrypted where the app encrypts it, with the files next to it',
  notes:
    'pictures, stickers, places and contacts, reactions, edits and deleted messages, pins and calls as lines of the app',
  sortKeys: 'always',
  options: viberOptionsSchema,
  codes: viberCodes,
  probe,
  rowsAt: async (...request) => (await load()).rowsAt(...request),
  read: lateRead(load),
});

async function probe(input: ExportInput): Promise<Probe> {
  const path = await firstDatabase(input, files);
  return path === undefined ? { match: 'no' } : { match: 'certain', because: `the tables of Viber in "${path}"` };
}
