import { join } from 'node:path';
import { writeLines } from '../write-lines.ts';

const people = 50;
const conversations = 200;
/** 2026-03-02, a Monday. */
const firstSeconds = 1_772_442_000;
const api = 'https://api2.frontapp.com';

const agent = { id: 'tea_1', email: 'bo@example.com', username: 'bo', first_name: 'Bo', last_name: 'Dahl' };

const recipientOf = (number: number, role: string) => ({
  _links: { related: { contact: `${api}/contacts/crd_${number % people}` } },
  ...{ name: `Person ${number % people}`, handle: `person${number % people}@example.com`, role },
});

const linksOf = (number: number) => ({
  related: { conversation: `${api}/conversations/cnv_${1 + (number % conversations)}` },
});

const messageOf = (number: number) => ({
  _links: linksOf(number),
  ...{ id: `msg_${number}`, type: 'email', is_inbound: number % 2 === 0, is_draft: false, draft_mode: null },
  ...{ error_type: null, created_at: firstSeconds + number + 0.25, subject: null, blurb: `Message ${number}` },
  author: number % 2 === 0 ? null : agent,
  recipients: [recipientOf(number, number % 2 === 0 ? 'from' : 'to')],
  body: `<p>Message ${number} ${'with <b>some</b> words '.repeat(number % 7)}to the end</p>`,
  ...{ text: null, attachments: [], signature: null, metadata: {} },
});

const commentOf = (number: number) => ({
  _links: linksOf(number),
  ...{ id: `cmt_${number}`, author: agent, body: `Comment ${number}`, posted_at: firstSeconds + number },
  ...{ is_pinned: false, attachments: [] },
});

/** An export of messages of about so many bytes, a line each, always the same: every tenth is a comment. @returns how many messages it has. */
export const makeExport = (folder: string, bytes: number): Promise<number> =>
  writeLines(join(folder, 'messages.ndjson'), bytes, (number) =>
    number % 10 === 9 ? commentOf(number) : messageOf(number),
  );
