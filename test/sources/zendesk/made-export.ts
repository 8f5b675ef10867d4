import { join } from 'node:path';
import { writeLines } from '../write-lines.ts';

const people = 50;
/** 2026-03-02, a Monday. */
const firstMs = 1_772_442_000_000;
const commentsEach = 20;

const commentOf = (ticket: number, index: number) => ({
  id: ticket * commentsEach + index + 1,
  type: 'Comment',
  author_id: index % 2 === 0 ? 1000 + (ticket % people) : 7,
  html_body: `<div class="zd-comment"><p>Comment ${index} ${'with <b>some</b> words '.repeat(index % 7)}to the end</p></div>`,
  public: index % 10 !== 9,
  attachments: [],
  via: { channel: 'web' },
  created_at: new Date(firstMs + ticket * 600_000 + index * 20_000).toISOString(),
});

const ticketOf = (ticket: number) => ({
  id: ticket + 1,
  subject: `Ticket ${ticket}`,
  status: 'closed',
  requester_id: 1000 + (ticket % people),
  comments: Array.from({ length: commentsEach }, (_, index) => commentOf(ticket, index)),
});

/** An export of tickets of about so many bytes, a line each, always the same: every tenth comment is internal. @returns how many comments it has. */
export const makeExport = async (folder: string, bytes: number): Promise<number> =>
  commentsEach * (await writeLines(join(folder, 'tickets.ndjson'), bytes, ticketOf));
