import { consecutiveIdsOf } from '../kit/rows/consecutive-ids.ts';
import { defineSource } from '../source.ts';
import { tablesCodes } from '../tables/codes.ts';
import { databaseCodes } from './codes.ts';
import { dumpCodes } from './dump/codes.ts';
import { databaseOptionsSchema } from './options.ts';
import { lateProbe, lateRead } from '../kit/on-demand.ts';

const load = () => import('./read.ts');

/** Messages of any chat in the application's own database. Which table and which column is what is said by the mapping. */
export const database = defineSource({
  name: 'database',
  title: 'Your own database (needs a mapping)',
  what: 'the database of your application: a SQLite file, a dump, PostgreSQL, MySQL; tables joined, read-only, one state of it',
  notes: 'files; [tables](tables.md): meaning of a column',
  sortKeys: 'always',
  options: databaseOptionsSchema,
  codes: [...tablesCodes, ...databaseCodes, ...dumpCodes],
  consecutiveIds: consecutiveIdsOf,
  probe: lateProbe(/\.(?:sqlite3?|s3db|db3?|sql|dump)(?:\.gz)?$/i, () => import('./probe.ts')),
  preset: async (...request) => (await load()).preset(...request),
  propose: async (...request) => (await load()).propose(...request),
  outline: async (...request) => (await load()).outline(...request),
  rowsAt: async (...request) => (await load()).rowsAt(...request),
  read: lateRead(load),
});
