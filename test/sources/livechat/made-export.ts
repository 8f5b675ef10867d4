import { join } from 'node:path';
import { writeLines } from '../write-lines.ts';

const people = 50;
const eventsEach = 20;
/** 2026-03-02, a Monday. */
const firstMs = 1_772_442_000_000;

const agent = { id: 'bo@example.com', type: 'agent', name: 'Bo Dahl', email: 'bo@example.com', present: false };
const customerOf = (number: number) => ({
  id: `b7eff798-f8df-4364-8059-${String(number % people).padStart(12, '0')}`,
  type: 'customer',
  name: `Person ${number % people}`,
  present: false,
});

/** An export of threads of about so many bytes, a chat a line, always the same: every tenth event is for agents. @returns how many messages it has. */
export const makeExport = async (folder: string, bytes: number): Promise<number> =>
  eventsEach * (await writeLines(join(folder, 'archives.ndjson'), bytes, chatOf));

function chatOf(number: number) {
  const customer = customerOf(number);
  const thread = `K${number}`;
  return {
    id: `P${number % people}`,
    users: [customer, agent],
    thread: {
      id: thread,
      active: false,
      user_ids: [customer.id, agent.id],
      events: Array.from({ length: eventsEach }, (_, index) => ({
        id: `${thread}_${index + 1}`,
        created_at: new Date(firstMs + number * 600_000 + index * 20_000).toISOString().replace('Z', '200Z'),
        visibility: index % 10 === 9 ? 'agents' : 'all',
        type: 'message',
        text: `Message ${index} ${'with some words '.repeat(index % 7)}to the end`,
        author_id: index % 2 === 0 ? customer.id : agent.id,
      })),
      properties: {},
      access: { group_ids: [0] },
    },
    properties: {},
    access: { group_ids: [0] },
  };
}
