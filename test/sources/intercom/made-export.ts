import { join } from 'node:path';
import { writeLines } from '../write-lines.ts';

const people = 50;
/** 2026-03-02, a Monday. */
const firstSeconds = 1_772_442_000;
const partsEach = 19;

const contactOf = (number: number) => ({
  type: 'user',
  id: `6762f1261bb69f9f${String(number % people).padStart(8, '0')}`,
  name: `Person ${number % people}`,
  email: `person-${number % people}@example.com`,
});
const admin = { type: 'admin', id: '274', name: 'Bo Dahl', email: 'bo@example.com' };

/** An export of conversations of about so many bytes, a line each, always the same: every tenth part is a note. @returns how many messages it has. */
export const makeExport = async (folder: string, bytes: number): Promise<number> =>
  (1 + partsEach) * (await writeLines(join(folder, 'conversations.ndjson'), bytes, conversationOf));

function conversationOf(number: number) {
  const created_at = firstSeconds + number * 600;
  const contact = contactOf(number);
  return {
    type: 'conversation',
    id: String(number + 1),
    title: null,
    created_at,
    state: 'closed',
    source: {
      type: 'conversation',
      id: String(number),
      body: `<p>Question ${number}</p>`,
      author: contact,
      attachments: [],
    },
    contacts: {
      type: 'contact.list',
      contacts: [{ type: 'contact', id: contact.id, external_id: `u${number % people}` }],
    },
    conversation_parts: {
      conversation_parts: Array.from({ length: partsEach }, (_, index) => ({
        type: 'conversation_part',
        id: String(number * partsEach + index),
        part_type: index % 10 === 9 ? 'note' : 'comment',
        body: `<p>Part ${index} ${'with <b>some</b> words '.repeat(index % 7)}to the end</p>`,
        created_at: created_at + index * 20,
        author: index % 2 === 0 ? admin : contact,
        attachments: [],
        redacted: false,
      })),
      total_count: partsEach,
    },
  };
}
