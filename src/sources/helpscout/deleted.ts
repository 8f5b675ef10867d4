import type { ExportInput } from '../../io/input/export-input.ts';
import { asArray, asObject } from '../kit/narrow.ts';
import { readFirst } from '../kit/rows/first-pass.ts';
import type { Layout } from './layout.ts';
import type { Directory } from './rows.ts';

interface ThreadFile extends Pick<Layout, 'at' | 'bare'> {
  readonly path: string;
  readonly signal: AbortSignal;
}

const pattern = /"state"\s{0,20}:\s{0,20}"deleted"/;

/** Adds the deleted conversations in a file with threads to the directory: further threads of them may be in another file. */
export async function addDeletedIn(
  input: ExportInput,
  { bare, ...file }: ThreadFile,
  directory: Directory,
): Promise<void> {
  await readFirst(input, { ...file, pattern }, ({ value, parentKey }) => {
    if (bare === 'answers') {
      const lists = asObject<{ conversations: unknown }>(asObject<{ _embedded: unknown }>(value)?._embedded);
      for (const row of asArray(lists?.conversations)) directory.addDeleted(row);
    } else if ((bare ?? parentKey) === 'conversations') directory.addDeleted(value);
  });
}
