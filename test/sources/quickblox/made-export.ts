import { join } from 'node:path';
import { writeLines } from '../write-lines.ts';

const conversations = 200;
/** 2026-03-02, a Monday. */
const firstSecond = 1_772_442_000;

const idOf = (kind: string, number: number) => `69a55664${kind}${number.toString(16).padStart(12, '0')}`;

function messageOf(number: number) {
  const at = new Date((firstSecond + number) * 1000).toISOString();
  return {
    ...{ _id: idOf('aaaa', number), attachments: [], chat_dialog_id: idOf('bbbb', number % conversations) },
    ...{ created_at: at, date_sent: firstSecond + number, delivered_ids: [101], read_ids: [101], recipient_id: null },
    message: `Message ${number} ${'with some words '.repeat(number % 7)}to the end`,
    ...{ sender_id: 101 + (number % 300), updated_at: at, read: 0 },
  };
}

/** An export of messages of about so many bytes, a line each, always the same. @returns how many messages it has. */
export const makeExport = (folder: string, bytes: number): Promise<number> =>
  writeLines(join(folder, 'messages.ndjson'), bytes, messageOf);
