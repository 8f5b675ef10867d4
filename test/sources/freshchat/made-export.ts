import { join } from 'node:path';
import { writeLines } from '../write-lines.ts';

const conversations = 200;
/** 2026-03-02, a Monday. */
const firstMs = 1_772_442_000_000;

function messageOf(number: number) {
  const isUser = number % 2 === 0;
  const text = `Message ${number} ${'with <b>some</b> words '.repeat(isUser ? 0 : number % 7)}to the end`;
  return {
    ...{ message_parts: [{ text: { content: text } }], app_id: '8c000000-0000-4000-8000-000000000001' },
    ...{ actor_id: isUser ? `u-${number % conversations}` : 'a-1', id: `m-${number}`, channel_id: 'ch-1' },
    ...{ conversation_id: `c-${number % conversations}`, message_type: number % 10 === 9 ? 'private' : 'normal' },
    ...{ actor_type: isUser ? 'user' : 'agent', created_time: new Date(firstMs + number * 1000).toISOString() },
    ...{ user_id: `u-${number % conversations}`, restrictResponse: false, botsPrivateNote: false },
  };
}

/** An export of messages of about so many bytes, a line each, always the same: every tenth is a note. @returns how many messages it has. */
export const makeExport = (folder: string, bytes: number): Promise<number> =>
  writeLines(join(folder, 'messages.ndjson'), bytes, messageOf);
