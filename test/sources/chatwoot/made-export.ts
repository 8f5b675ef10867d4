import { join } from 'node:path';
import { writeLines } from '../write-lines.ts';

const people = 50;
const conversations = 200;
/** 2026-03-02, a Monday. */
const firstSeconds = 1_772_442_000;

const messageOf = (number: number) => ({
  id: number + 1,
  content: `Message ${number} ${'with **some** words '.repeat(number % 7)}to the end`,
  inbox_id: 3,
  conversation_id: 1 + (number % conversations),
  message_type: number % 2,
  content_type: 'text',
  status: 'sent',
  content_attributes: {},
  created_at: firstSeconds + number,
  private: number % 10 === 9,
  sender:
    number % 2 === 0
      ? { id: number % people, name: `Person ${number % people}`, type: 'contact' }
      : { id: 1, name: 'Bo Dahl', type: 'user' },
});

/** An export of messages of about so many bytes, a line each, always the same: every tenth is a note. @returns how many messages it has. */
export const makeExport = (folder: string, bytes: number): Promise<number> =>
  writeLines(join(folder, 'messages.ndjson'), bytes, messageOf);
