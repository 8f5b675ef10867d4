import type { ExportInput } from '../../io/input/export-input.ts';
import { textsIn } from '../kit/files/chat-files.ts';
import type { Probe } from '../source.ts';
import { isChat, mayBe } from './chats.ts';

const probedMax = 6;

/** Reads the beginnings of at most six texts. */
export async function probe(input: ExportInput): Promise<Probe> {
  for (const path of textsIn(await input.paths(), mayBe).slice(0, probedMax))
    if (await isChat(input, path)) return { match: 'certain', because: `a chat of KakaoTalk in "${path}"` };
  return { match: 'no' };
}
