import { join } from 'node:path';
import { writeLines } from '../write-lines.ts';

const people = 50;
const threads = 200;
/** 2026-03-02, a Monday. */
const firstMs = 1_772_442_000_000;

function messageOf(number: number) {
  const visitor = `V-${number % people}`;
  const sender =
    number % 2 === 0 ? { actorId: visitor, name: `Person ${number % people}` } : { actorId: 'A-7', name: 'Bo Dahl' };
  const text = `Message ${number} ${'with some words '.repeat(number % 7)}to the end`;
  return {
    id: number.toString(16).padStart(32, '0'),
    conversationsThreadId: String(8_243_595_000 + (number % threads)),
    createdAt: new Date(firstMs + number * 1000).toISOString(),
    createdBy: sender.actorId,
    client: { clientType: 'HUBSPOT' },
    senders: [sender],
    recipients: [],
    archived: false,
    text,
    richText: `<p>${text.replace('some', '<b>some</b>')}</p>`,
    attachments: [],
    ...(number % 10 === 9 ? { type: 'COMMENT' } : { truncationStatus: 'NOT_TRUNCATED', type: 'MESSAGE' }),
  };
}

/** An export of messages of about so many bytes, a line each, always the same: every tenth is a comment. @returns how many messages it has. */
export const makeExport = (folder: string, bytes: number): Promise<number> =>
  writeLines(join(folder, 'messages.ndjson'), bytes, messageOf);
