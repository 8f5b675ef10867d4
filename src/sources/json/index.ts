import { consecutiveIdsOption } from '../kit/rows/consecutive-ids.ts';
import { defineTableSource } from '../table-source.ts';
import { tablesCodes } from '../tables/codes.ts';
import { listQueryPaths } from '../tables/roles.ts';
import { jsonCodes } from './codes.ts';
import { jsonOptionsSchema } from './options.ts';
import { lateProbe, lateRead } from '../kit/on-demand.ts';

const load = () => import('./read.ts');

/**
 * Messages of any chat in JSON: arrays, NDJSON, concatenated objects, lists inside one object, maps of rows by id, dumps of
 * MongoDB, DynamoDB and Firestore. Which field is what is said by the mapping.
 */
export const json = defineTableSource({
  name: 'json',
  title: 'JSON or NDJSON of any shape (needs a mapping)',
  options: jsonOptionsSchema,
  codes: [...tablesCodes, ...jsonCodes],
  consecutiveIds: consecutiveIdsOption,
  queryPaths: listQueryPaths,
  probe: lateProbe(
    /\.(?:json|ndjson|jsonl|jsonlines|ldjson|bson|parquet)(?:\.gz)?$|\.xls[xm]\/[^/]+$/i,
    () => import('./probe.ts'),
  ),
  preset: async (input) => (await load()).preset(input),
  propose: async (...request) => (await load()).propose(...request),
  outline: async (...request) => (await load()).outline(...request),
  rowsAt: async (input, options, locations) => (await load()).rowsAt(input, options, locations),
  read: lateRead(load),
});
