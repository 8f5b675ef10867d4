import type { ExportInput } from '../../io/input/export-input.ts';
import { headText } from '../kit/files/file-bytes.ts';

export async function findRoot(input: ExportInput, path: string): Promise<string | undefined> {
  const head = await headText(input, path, headBytes);
  return begins.exec(head)?.[1];
}

/** A comment ends with its first `-->`: with `[\s\S]*?` many of them would take exponential time. */
const begins = /^\ufeff?\s*(?:<\?[^>]*>\s*|<!--(?:[^-]|-(?!->))*-->\s*)*<(smses|calls)[\s>/]/;

const headBytes = 16 * 1024;

export const findCandidates = (paths: readonly string[]): readonly string[] =>
  paths.length === 1 ? paths : paths.filter((path) => /\.xml$/i.test(path));
