import type { ExportInput } from '../../io/input/export-input.ts';
import type { Probe } from '../source.ts';
import { isNamedChat, messagesAtStart } from './chats.ts';

/** Reads the beginnings of at most six texts. */
export async function probe(input: ExportInput): Promise<Probe> {
  const texts = (await input.paths()).filter((path) => /\.txt$/i.test(path));
  const named = texts.filter(isNamedChat);
  for (const path of [...named, ...texts.filter((text) => !isNamedChat(text))].slice(0, 6)) {
    const count = await messagesAtStart(input, path);
    if (count === 0 || (count === 1 && !isNamedChat(path))) continue;
    return { match: 'certain', because: `messages of a WhatsApp chat in "${path}"` };
  }
  return { match: 'no' };
}
