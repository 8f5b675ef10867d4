import type { ExportInput } from '../../io/input/export-input.ts';
import { firstDatabase } from '../kit/files/app-database-files.ts';
import { lateRead } from '../kit/on-demand.ts';
import type { Probe } from '../source.ts';
import { defineColumnSource } from '../table-source.ts';
import { viberCodes } from './codes.ts';
import { viberOptionsSchema } from './options.ts';
import { files } from './format.ts';

const load = () => import('./read.ts');

/** The database of Viber for computers, as `format.ts` says. */
export const viber = defineColumnSource({
  name: 'viber',
  title: 'Viber (viber.db)',
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
