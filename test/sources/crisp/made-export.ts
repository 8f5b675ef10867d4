import { join } from 'node:path';
import { writeLines } from '../write-lines.ts';

const conversations = 200;
/** 2026-03-02, a Monday. */
const firstMs = 1_772_442_000_000;

function messageOf(number: number) {
  const session = `session_${number % conversations}`;
  const isVisitor = number % 2 === 0;
  return {
    ...{ session_id: session, website_id: '8c000000-0000-4000-8000-000000000001' },
    ...{ type: number % 10 === 9 ? 'note' : 'text', from: isVisitor ? 'user' : 'operator', origin: 'chat' },
    content: `Message ${number} ${'with **some** words '.repeat(number % 7)}to the end`,
    ...{ preview: [], mentions: [], read: 'chat', delivered: '', stamped: true },
    ...{ timestamp: firstMs + number * 1000, fingerprint: 177_244_200_000_000 + number },
    user: isVisitor
      ? { user_id: session, nickname: `Person ${number % conversations}` }
      : { user_id: '1', nickname: 'Bo' },
  };
}

/** An export of messages of about so many bytes, a line each, always the same: every tenth is a note. @returns how many messages it has. */
export const makeExport = (folder: string, bytes: number): Promise<number> =>
  writeLines(join(folder, 'messages.ndjson'), bytes, messageOf);
