import type { ExportInput } from '../../io/input/export-input.ts';
import { readChatFiles, sortChats } from '../kit/files/chat-files.ts';
import type { ReadSource } from '../source.ts';
import { readChat } from './chat-file.ts';
import { chatFile, chatMatch, mayBe } from './chats.ts';
import type { LineOptions } from './options.ts';

/** As the app calls its files. */
const named = /(?:^|\/)\[LINE\]/;

const isChat = async (input: ExportInput, path: string) => (await chatMatch(input, path)) !== 'no';

/** Files of one title are different chats, and the user is asked. */
export const read: ReadSource<LineOptions> = (exported, options, context) =>
  readChatFiles(exported, options, context, {
    source: 'line',
    mayBe,
    sortedPaths: (input) => sortChats(input, { mayBe, named, isChat }),
    file: (input, path) => chatFile(input, path, options.conversation),
    divide: (files) => files.map((file) => [file]),
    readChat: (input, path, chat) => readChat(input, path, { ...chat, options }),
  });
