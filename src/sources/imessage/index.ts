import type { ExportInput } from '../../io/input/export-input.ts';
import { firstDatabase } from '../kit/files/app-database-files.ts';
import { lateRead } from '../kit/on-demand.ts';
import type { Probe } from '../source.ts';
import { defineColumnSource } from '../table-source.ts';
import { imessageCodes } from './codes.ts';
import { imessageOptionsSchema } from './options.ts';
import { files } from './format.ts';

const load = () => import('./read.ts');

/** The database of Messages, as `format.ts` says. */
export const imessage = defineColumnSource({
  name: 'imessage',
  title: 'iMessage (chat.db, sms.db)',
  options: imessageOptionsSchema,
  codes: imessageCodes,
  probe,
  rowsAt: async (...request) => (await load()).rowsAt(...request),
  read: lateRead(load),
});

async function probe(input: ExportInput): Promise<Probe> {
  const path = await firstDatabase(input, files);
  return path === undefined ? { match: 'no' } : { match: 'certain', because: `the tables of Messages in "${path}"` };
}
