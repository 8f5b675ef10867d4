import type { ExportInput } from '../../io/input/export-input.ts';
import { withoutClutter } from '../kit/files/paths.ts';
import type { Probe } from '../source.ts';
import { type Layout, readLayout } from './layout.ts';

const shows: Readonly<Record<Layout, string>> = {
  backup: 'lines of an export of Signal',
  data: 'messages as signal-export writes them',
  markdown: 'messages as signal-export writes them',
  'desktop-lines': "messages of Signal Desktop's database",
  'desktop-list': "messages of Signal Desktop's database",
  'desktop-hollow': "messages of Signal Desktop's database without their text",
};

const sampledMax = 8;

/** Reads the beginnings of at most eight files, those with telling names first. */
export async function probe(input: ExportInput): Promise<Probe> {
  const { own } = withoutClutter(await input.paths());
  const named = own.filter((path) => /(?:^|\/)(?:main\.jsonl|data\.json|chat\.md|index\.md)$/i.test(path));
  const others = own.filter(
    (path) => own.length === 1 || /^[^/]+(?:\/[^/]+)?\.(?:md|txt|json|jsonl|ndjson)$/i.test(path),
  );
  for (const path of [...new Set([...named, ...others])].slice(0, sampledMax)) {
    const layout = (await input.stat(path)).sizeBytes === 0 ? undefined : await readLayout(input, path);
    if (layout) return { match: 'certain', because: `${shows[layout]} in "${path}"` };
  }
  return { match: 'no' };
}
