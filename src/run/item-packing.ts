import type { StagedItem, StagedRow } from '../checkpoint/staged-item.ts';
import type { ItemChunk } from './read-items.ts';

/**
 * Items on their way between threads. Rows are flat arrays of their values: half the cost of cloning objects,
 * and they are nearly all there is.
 */
export interface PackedChunk {
  readonly input: number;
  readonly items: readonly (Exclude<StagedItem, { type: 'row' }> | readonly (string | number | null)[])[];
}

const columns = [
  'muid',
  'workspace',
  'conversation',
  'sender',
  'originId',
  'sentAtMs',
  'sortKey',
  'editedAtMs',
  'recordDigest',
  'verdict',
  'reason',
  'detail',
  'payload',
  'rootMuid',
  'facts',
  'place',
] as const satisfies readonly (keyof StagedRow)[];

export function packChunk({ input, items }: ItemChunk): PackedChunk {
  return {
    input,
    items: items.map((item) => (item.type === 'row' ? [item.path, ...columns.map((name) => item.row[name])] : item)),
  };
}

export function unpackChunk({ input, items }: PackedChunk): ItemChunk {
  return { input, items: items.map((item) => (Array.isArray(item) ? unpackRow(item) : (item as StagedItem))) };
}

function unpackRow(values: readonly (string | number | null)[]): StagedItem {
  const row: Record<string, string | number | null> = {};
  for (let index = 0; index < columns.length; index++) row[columns[index]!] = values[index + 1]!;
  return { type: 'row', path: values[0] as string, row: row as unknown as StagedRow };
}
