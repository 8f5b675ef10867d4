import { join } from 'node:path';
import { writeLines } from '../write-lines.ts';

const conversations = 200;
/** 2026-03-02, a Monday. */
const firstMs = 1_772_442_000_000;

function messageOf(number: number) {
  const text = `Message ${number} ${'with some words '.repeat(number % 7)}to the end`;
  return {
    ...{ id: `msg_${number}`, conversationId: `room-${number % conversations}`, type: 'UserMessage' },
    ...{ senderId: `person-${number % 300}`, text, content: [{ type: 'text', children: [text] }] },
    ...{ attachment: null, location: null, origin: 'web', createdAt: firstMs + number * 1000, editedAt: null },
    ...{ readBy: [], referencedMessageId: null, custom: {}, reactions: {} },
  };
}

/** An export of messages of about so many bytes, a line each, always the same. @returns how many messages it has. */
export const makeExport = (folder: string, bytes: number): Promise<number> =>
  writeLines(join(folder, 'messages.ndjson'), bytes, messageOf);
