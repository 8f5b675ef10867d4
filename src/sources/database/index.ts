import { consecutiveIdsOption } from '../kit/rows/consecutive-ids.ts';
import { defineTableSource } from '../table-source.ts';
import { tablesCodes } from '../tables/codes.ts';
import { databaseCodes } from './codes.ts';
import { dumpCodes } from './dump/codes.ts';
import { databaseOptionsSchema } from './options.ts';
import { lateProbe, lateRead } from '../kit/on-demand.ts';

const load = () => import('./read.ts');

/** Messages of any chat in the application's own database. Which table and which column is what is said by the mapping. */
export const database = defineTableSource({
  name: 'database',
  title: 'Your own database (needs a mapping)',
  options: databaseOptionsSchema,
  codes: [...tablesCodes, ...databaseCodes, ...dumpCodes],
  consecutiveIds: consecutiveIdsOption,
  // Rows of queries are in the file of the database.
  queryPaths: () => [],
  probe: lateProbe(/\.(?:sqlite3?|s3db|db3?|sql|dump)(?:\.gz)?$/i, () => import('./probe.ts')),
  preset: async (...request) => (await load()).preset(...request),
  propose: async (...request) => (await load()).propose(...request),
  outline: async (...request) => (await load()).outline(...request),
  rowsAt: async (...request) => (await load()).rowsAt(...request),
  read: lateRead(load),
});
