import type { ExportInput } from '../../io/input/export-input.ts';
import type { Entry } from '../../model/entry.ts';
import { inLists } from '../kit/entries.ts';
import { expectedText, expectFiles } from '../kit/files/expected-files.ts';
import { leftOut, sortPaths } from '../kit/files/paths.ts';
import { readRowFiles } from '../kit/files/read-files.ts';
import { defineSource, type Probe, type ReadContext } from '../source.ts';
import { readChat } from './chat-reader.ts';
import { chatsOf, isNamedChat, messagesAtStart, titleOf } from './chats.ts';
import { whatsappCodes } from './codes.ts';
import { chatIds } from './same-name.ts';
import { type WhatsappOptions, whatsappOptionsSchema } from './options.ts';

/** Chats that phones exported as text, as `format.ts` says. */
export const whatsapp = defineSource({
  name: 'whatsapp',
  title: 'WhatsApp ("Export chat")',
  what: 'chats that Android or iOS exported as text, with or without media; ZIP, folder, or single files',
  notes: 'dates of every region, words of fifty languages, files, chats of two',
  sortKeys: 'always',
  isName: (id) => !/^[+\d\s().\u2010-\u2015-]+$/.test(id),
  options: whatsappOptionsSchema,
  codes: whatsappCodes,
  probe,
  read,
});

/** Reads the beginnings of at most six texts. */
async function probe(input: ExportInput): Promise<Probe> {
  const texts = (await input.paths()).filter((path) => /\.txt$/i.test(path));
  const named = texts.filter(isNamedChat);
  for (const path of [...named, ...texts.filter((text) => !isNamedChat(text))].slice(0, 6)) {
    const count = await messagesAtStart(input, path);
    if (count === 0 || (count === 1 && !isNamedChat(path))) continue;
    return { match: 'certain', because: `messages of a WhatsApp chat in "${path}"` };
  }
  return { match: 'no' };
}

/** A chat has at least the line that it is encrypted. */
const expected = (path: string) => (/\.txt$/i.test(path) ? expectedText : undefined);

async function* read(
  exported: ExportInput,
  options: WhatsappOptions,
  context: ReadContext,
): AsyncGenerator<readonly Entry[]> {
  context.signal.throwIfAborted();
  const input = expectFiles(exported, expected);
  const chats = await chatsOf(input);
  const folders = [...new Set([...chats].map((chat) => chat.slice(0, chat.lastIndexOf('/') + 1)))];
  const sorted = sortPaths(await input.paths(), (path) => {
    if (chats.has(path)) return 'chat';
    const isBeside = folders.some((folder) => path.startsWith(folder));
    return isBeside ? { skip: 'Exported beside a chat; a message that names it has it as a file' } : undefined;
  });
  yield* inLists(leftOut(sorted));
  const workspace = context.workspace ?? '';
  const titles = new Map(sorted.of('chat').map((path) => [path, titleOf(input, path, options.conversation)]));
  const ids = await chatIds(input, titles, options.sameName);
  yield* readRowFiles({
    paths: sorted.of('chat'),
    context,
    read: (path) => {
      const { id, isOpen } = ids.get(path)!;
      return readChat(input, path, { title: titles.get(path)!, id, isSameNameOpen: isOpen, workspace, options });
    },
  });
}
