import { readChatFiles, sortChats } from '../kit/files/chat-files.ts';
import type { ReadSource } from '../source.ts';
import { readChat } from './chat-file.ts';
import { chatFile, divide, isChat, mayBe } from './chats.ts';
import { KnownNames } from './known-names.ts';
import type { KakaotalkOptions } from './options.ts';

/** As the app calls its files. */
const named = /kakaotalk/i;

export const read: ReadSource<KakaotalkOptions> = (exported, options, context) =>
  readChatFiles(exported, options, context, {
    source: 'kakaotalk',
    mayBe,
    sortedPaths: (input) => sortChats(input, { mayBe, named, isChat }),
    file: (input, path) => chatFile(input, path, options.conversation),
    divide: (files) => divide(files, options.sameName),
    readChat(input, path, chat) {
      const knownNames = new KnownNames([...options.names, options.me, chat.title]);
      return readChat(input, path, { ...chat, options, knownNames });
    },
  });
