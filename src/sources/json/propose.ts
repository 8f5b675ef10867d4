import type { ExportInput } from '../../io/input/export-input.ts';
import { parsePointer } from '../../io/json/json-pointer.ts';
import type { Proposal } from '../source.ts';
import { proposeBindings } from '../tables/propose.ts';
import type { TableSample } from '../tables/row.ts';
import { mayHoldRows } from './files.ts';
import { findLists } from './find-lists.ts';
import { JsonRow } from './json-row.ts';
import { type Look, lookAt } from './layout.ts';
import { readRows, type RowsAt } from './read-rows.ts';
import { withOuterConversation } from './propose-conversation.ts';
import { isObject } from './wrapping.ts';

/** What is looked at in all, and of one file at least: 50 files, or one with rows of a megabyte. */
const bytesMax = 4 * 1024 * 1024;
const filesMax = 50;
const rowsMax = 1000;

/** Rows from the beginning of each file, and from each list in it, are what the proposal is made of. */
export async function propose(input: ExportInput, options: Readonly<Record<string, unknown>>): Promise<Proposal> {
  const paths = (await input.paths()).filter((path, _index, all) => mayHoldRows(path, all.length)).slice(0, filesMax);
  const samples: TableSample[] = [];
  for (const path of paths) {
    const look = lookAt(path, await input.head(path, Math.floor(bytesMax / paths.length)));
    if (look !== undefined) samples.push(...(await samplesOf(path, look, options)));
  }
  return withOuterConversation(proposeBindings(samples, options), samples);
}

async function samplesOf(
  path: string,
  look: Look,
  options: Readonly<Record<string, unknown>>,
): Promise<readonly TableSample[]> {
  if (look.layout !== 'list') return [{ path, table: {}, rows: await firstRows(path, look, { layout: look.layout }) }];
  const lists = new Set([...decidedLists(options), ...findLists(look.value).map(({ list }) => list)]);
  const samples: TableSample[] = [];
  for (const list of lists) {
    const rows = await firstRows(path, look, { layout: 'list', pattern: parsePointer(list) ?? [] });
    if (rows.length > 0) samples.push({ path, table: list === '' ? {} : { list }, rows });
  }
  if (samples.length > 0 || !look.isComplete) return samples;
  return [{ path, table: {}, rows: await firstRows(path, look, { layout: 'values' }) }];
}

/** Read as the whole file would be, so that they are the same rows. */
async function firstRows(path: string, { bytes }: Look, at: RowsAt): Promise<readonly JsonRow[]> {
  const rows: JsonRow[] = [];
  for await (const steps of readRows(chunksOf(bytes), path, at)) {
    rows.push(...steps.filter((step) => step instanceof JsonRow));
    if (rows.length >= rowsMax) break;
  }
  return rows.slice(0, rowsMax);
}

const chunkBytes = 64 * 1024;

async function* chunksOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += chunkBytes) yield bytes.subarray(at, at + chunkBytes);
}

/** The lists that the user has named already. */
function decidedLists({ tables }: Readonly<Record<string, unknown>>): readonly string[] {
  if (!isObject(tables)) return [];
  const lists = Object.values(tables).map((table) => (isObject(table) ? table.list : undefined));
  return lists.filter((list) => typeof list === 'string' && parsePointer(list) !== undefined) as string[];
}
