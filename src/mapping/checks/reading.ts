import type { Check } from './check.ts';
import { archivesCodes } from './reading/archives.ts';
import { jsonCodes } from './reading/json.ts';
import { rowsCodes } from './reading/rows.ts';
import { stagingCodes } from './reading/staging.ts';
import { tablesCodes } from './reading/tables.ts';

/** What reading and staging find by themselves, without a question of its own: the codes of rejects and problems. */
export const readingCodes: readonly Check[] = [
  ...jsonCodes,
  ...tablesCodes,
  ...archivesCodes,
  ...rowsCodes,
  ...stagingCodes,
];
