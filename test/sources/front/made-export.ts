import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';

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
export async function makeExport(folder: string, bytes: number): Promise<number> {
  const file = createWriteStream(join(folder, 'messages.ndjson'));
  let written = 0;
  let messages = 0;
  for (; written < bytes; messages += 1) {
    const text = `${JSON.stringify(messages % 10 === 9 ? commentOf(messages) : messageOf(messages))}\n`;
    written += Buffer.byteLength(text);
    if (!file.write(text)) await once(file, 'drain');
  }
  file.end();
  await once(file, 'finish');
  return messages;
}
