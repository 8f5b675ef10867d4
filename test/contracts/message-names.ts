import type { SourceAdapter } from '../../src/sources/source.ts';
import { memoryInput } from './memory-input.ts';
import { readAll } from './source/check.ts';

/**
 * What speaks against a source that reads messages which say under which name they were written: those that would be shown under another
 * one. Each text is that name.
 */
export async function nameComplaints(
  adapter: SourceAdapter,
  files: Parameters<typeof memoryInput>[0],
): Promise<string[]> {
  const names = new Map<string, string>();
  const shown: (readonly [author: string, said: string, own: string | undefined])[] = [];
  for (const entry of await readAll(adapter, memoryInput(files))) {
    if (entry.type !== 'record') continue;
    const { record } = entry;
    if (record.kind === 'user') names.set(record.id, record.name);
    else if (record.kind === 'message' && record.systemEvent === undefined)
      shown.push([record.author ?? '', record.text, record.authorDetails?.name]);
  }
  // A plan keeps the last description of a person.
  return shown.flatMap(([author, said, own]) => {
    const name = names.get(author) ?? own;
    return name === said ? [] : [`"${said}" is shown as "${name}"`];
  });
}
