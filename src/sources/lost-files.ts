import type { ExportInput } from '../io/input/export-input.ts';
import { SourceError } from '../lib/errors.ts';
import { expectedByName, expectedText, foundInstead } from './kit/files/expected-files.ts';

const headBytes = 4096;
const peeksMax = 100;
const namesMax = 3;

/**
 * Lists files whose content does not match their names, for an export that no source recognises: `"import.jsonl"
 * (nothing but zeros)`. The first three, of the first hundred files with names of texts; empty if there are none.
 */
export async function lostFiles(input: ExportInput): Promise<string> {
  const found: string[] = [];
  const texts = (await input.paths()).filter((path) => /\.(?:json|jsonl|ndjson|csv|tsv|txt|md|log)$/i.test(path));
  for (const path of texts.slice(0, peeksMax)) {
    const instead = await insteadOf(input, path);
    if (instead !== undefined) found.push(`"${path}" (${instead})`);
    if (found.length === namesMax) break;
  }
  return found.join(', ');
}

async function insteadOf(input: ExportInput, path: string): Promise<string | undefined> {
  try {
    const head = await input.head(path, headBytes);
    return foundInstead(head, head.length < headBytes, expectedByName(path) ?? expectedText);
  } catch (error) {
    if (error instanceof SourceError) return error.message;
    throw error;
  }
}
