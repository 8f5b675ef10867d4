import { consecutiveIdsOption } from '../kit/rows/consecutive-ids.ts';
import { defineTableSource } from '../table-source.ts';
import { tablesCodes } from '../tables/codes.ts';
import { listQueryPaths } from '../tables/roles.ts';
import { csvCodes } from './codes.ts';
import { csvOptionsSchema } from './options.ts';
import { lateProbe, lateRead } from '../kit/on-demand.ts';

const load = () => import('./read.ts');

/** Messages of any chat as tables in text: CSV, TSV and their relatives. Which column is what is said by the mapping. */
export const csv = defineTableSource({
  name: 'csv',
  title: 'CSV or TSV tables of any shape (needs a mapping)',
  options: csvOptionsSchema,
  codes: [...tablesCodes, ...csvCodes],
  consecutiveIds: consecutiveIdsOption,
  queryPaths: listQueryPaths,
  probe: lateProbe(/\.(?:csv|tsv|tab|psv)$/i, () => import('./probe.ts')),
  propose: async (...request) => (await load()).propose(...request),
  outline: async (...request) => (await load()).outline(...request),
  rowsAt: async (input, options, locations) => (await load()).rowsAt(input, options, locations),
  read: lateRead(load),
});
