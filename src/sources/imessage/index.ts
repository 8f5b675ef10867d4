import type { ExportInput } from '../../io/input/export-input.ts';
import { firstDatabase } from '../kit/files/app-database-files.ts';
import { lateRead } from '../kit/on-demand.ts';
import { defineSource, type Probe } from '../source.ts';
import { imessageCodes } from './codes.ts';
import { imessageOptionsSchema } from './options.ts';
import { files } from './format.ts';

const load = () => import('./read.ts');

/** The database of Messages, as `format.ts` says. */
export const imessage = defineSource({
  name: 'imessage',
  title: 'iMessage (chat.db, sms.db)',
  what: 'the database of Messages of macOS (`chat.db`) and of an iPhone or its backup (`sms.db`), with the files next to it',
  notes: 'texts in archives of Apple, reactions, edits and unsent messages, several addresses of one person, files',
  sortKeys: 'always',
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
