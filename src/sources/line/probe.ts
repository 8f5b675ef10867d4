import type { ExportInput } from '../../io/input/export-input.ts';
import type { Probe } from '../source.ts';
import { chatMatch } from './chats.ts';
import { candidatesOf } from './chats.ts';

const probedMax = 6;

/** Reads the beginnings of at most six texts. */
export async function probe(input: ExportInput): Promise<Probe> {
  for (const path of candidatesOf(await input.paths()).slice(0, probedMax)) {
    const match = await chatMatch(input, path);
    if (match !== 'no') return { match, because: `a chat of LINE in "${path}"` };
  }
  return { match: 'no' };
}
