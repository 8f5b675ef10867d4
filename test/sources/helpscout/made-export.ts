import { join } from 'node:path';
import { writeLines } from '../write-lines.ts';

const people = 50;
const threadsEach = 20;
/** 2026-03-02, a Monday. */
const firstMs = Date.UTC(2026, 2, 2, 9);

const timeOf = (number: number) => new Date(firstMs + number * 1000).toISOString().replace('.000Z', 'Z');

const customerOf = (number: number) => ({
  ...{ id: 1 + (number % people), type: 'customer', first: 'Person', last: String(number % people) },
  email: `person${number % people}@example.com`,
});

const agent = { id: 1, type: 'user', first: 'Bo', last: 'Dahl', email: 'bo@example.com' };

const threadOf = (number: number, customer: object) => ({
  id: number + 1,
  type: number % 10 === 9 ? 'note' : number % 2 === 0 ? 'customer' : 'message',
  status: 'active',
  state: 'published',
  action: { type: 'default', associatedEntities: {} },
  body: `<p>Message ${number} ${'with <b>some</b> words '.repeat(number % 7)}to the end</p>`,
  source: { type: 'email', via: 'customer' },
  customer,
  createdBy: number % 2 === 0 ? customer : agent,
  ...{ savedReplyId: 0, to: [], cc: [], bcc: [], createdAt: timeOf(number) },
  _embedded: { attachments: [] },
});

const conversationOf = (first: number) => {
  const customer = customerOf(first / threadsEach);
  const numbers = Array.from({ length: threadsEach }, (_, index) => first + threadsEach - 1 - index);
  return {
    ...{ id: 1 + first / threadsEach, number: 1000 + first / threadsEach, threads: threadsEach, type: 'email' },
    ...{ folderId: 1, status: 'closed', state: 'published', subject: `Question ${first}`, mailboxId: 85 },
    ...{ createdAt: timeOf(first), createdBy: customer, primaryCustomer: customer, assignee: agent, tags: [] },
    _embedded: { threads: numbers.map((number) => threadOf(number, customer)) },
  };
};

/** An export of conversations of about so many bytes, a line each, always the same: every tenth thread is a note. @returns how many threads it has. */
export const makeExport = async (folder: string, bytes: number): Promise<number> =>
  threadsEach *
  (await writeLines(join(folder, 'conversations.ndjson'), bytes, (number) => conversationOf(number * threadsEach)));
