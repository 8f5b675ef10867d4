import type { ExportInput } from '../../io/input/export-input.ts';
import { textsIn } from '../kit/files/chat-files.ts';
import type { Probe } from '../source.ts';
import { chatMatch, mayBe } from './chats.ts';

const probedMax = 6;

/** Reads the beginnings of at most six texts. */
export async function probe(input: ExportInput): Promise<Probe> {
  for (const path of textsIn(await input.paths(), mayBe).slice(0, probedMax)) {
    const match = await chatMatch(input, path);
    if (match !== 'no') return { match, because: `a chat of LINE in "${path}"` };
  }
  return { match: 'no' };
}
