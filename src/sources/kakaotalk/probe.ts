import type { ExportInput } from '../../io/input/export-input.ts';
import type { Probe } from '../source.ts';
import { isChat } from './chats.ts';
import { candidatesOf } from './chats.ts';

const probedMax = 6;

/** Reads the beginnings of at most six texts. */
export async function probe(input: ExportInput): Promise<Probe> {
  for (const path of candidatesOf(await input.paths()).slice(0, probedMax))
    if (await isChat(input, path)) return { match: 'certain', because: `a chat of KakaoTalk in "${path}"` };
  return { match: 'no' };
}
