import type { ExportInput } from '../../io/input/export-input.ts';
import { readChatFiles } from '../kit/files/chat-files.ts';
import { sortPaths } from '../kit/files/paths.ts';
import type { ReadSource } from '../source.ts';
import { readChat } from './chat-reader.ts';
import { findChats, findTitle } from './chats.ts';
import type { WhatsappOptions } from './options.ts';
import { chatsAmong } from './same-name.ts';

export const read: ReadSource<WhatsappOptions> = (exported, options, context) =>
  readChatFiles(exported, options, context, {
    source: 'whatsapp',
    mayBe: /\.txt$/i,
    sortedPaths,
    file: (input, path) => ({ input, path, title: findTitle(input, path, options.conversation) }),
    divide: chatsAmong,
    readChat: (input, path, chat) => readChat(input, path, { ...chat, options }),
  });

async function sortedPaths(input: ExportInput) {
  const chats = await findChats(input);
  const folders = [...new Set([...chats].map((chat) => chat.slice(0, chat.lastIndexOf('/') + 1)))];
  return sortPaths(await input.paths(), (path) => {
    if (chats.has(path)) return 'chat';
    const isSibling = folders.some((folder) => path.startsWith(folder));
    return isSibling ? { skip: 'Exported next to a chat; attached to the message that names it' } : undefined;
  });
}
