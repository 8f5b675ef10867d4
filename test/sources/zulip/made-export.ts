import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const people = 50;
const streams = 20;
const perFile = 1000;
/** 2026-03-02, a Monday, in seconds. */
const first = 1_772_442_000;

const numbers = (count: number) => Array.from({ length: count }, (_, number) => number);
const personOf = (number: number) => 1 + (number % people);
/** Recipients of people are their numbers, those of streams come behind. */
const recipientOf = (number: number) => 1000 + (number % streams);

/** Returns a message: each third mentions a person, each fourth is private, each tenth has a file. */
function messageOf(n: number): object {
  const isPrivate = n % 4 === 3;
  return {
    id: n + 1,
    sender: personOf(n),
    recipient: isPrivate ? personOf(n + 7) : recipientOf(n),
    realm: 1,
    subject: isPrivate ? '' : `topic ${n % 100}`,
    content: `${n % 3 === 0 ? `@**Person ${personOf(n + 1)}|${personOf(n + 1)}** ` : ''}Message ${n}: ${'with some words '.repeat(n % 12)}to the end :wave:${n % 10 === 0 ? `\n[${n}.png](/user_uploads/1/ab/${n}.png)` : ''}`,
    rendered_content: `<p>Message ${n}: ${'with some words '.repeat(n % 12)}to the end <span aria-label="wave" class="emoji emoji-1f44b" role="img" title="wave">:wave:</span></p>`,
    rendered_content_version: 1,
    date_sent: first + n * 0.7,
    sending_client: 1,
    last_edit_time: null,
    edit_history: null,
    has_attachment: n % 10 === 0,
  };
}

const table = (rows: readonly object[]) => `[\n${rows.map((row) => JSON.stringify(row)).join(',\n')}\n]`;
const tables = (of: Readonly<Record<string, readonly object[]>>) =>
  `{\n${Object.entries(of)
    .map(([name, rows]) => `"${name}": ${table(rows)}`)
    .join(',\n')}\n}\n`;

/** An export of messages of about so many bytes, always the same. @returns how many messages it has. */
export async function makeExport(folder: string, bytes: number): Promise<number> {
  mkdirSync(folder, { recursive: true });
  let count = 0;
  for (let written = 0, file = 1; written < bytes; file += 1, count += perFile) {
    const messages = numbers(perFile).map((number) => messageOf(count + number));
    const marks = messages.map((_, at) => ({
      id: count + at,
      user_profile: 1,
      message: count + at + 1,
      flags_mask: 1,
    }));
    const text = tables({ zerver_message: messages, zerver_usermessage: marks });
    writeFileSync(join(folder, `messages-${String(file).padStart(6, '0')}.json`), text);
    written += Buffer.byteLength(text);
  }
  const realm = tables({
    zerver_realm: [{ id: 1, string_id: 'made' }],
    zerver_userprofile: numbers(people).map((n) => ({
      id: n + 1,
      full_name: `Person ${n + 1}`,
      role: 400,
      is_active: true,
    })),
    zerver_stream: numbers(streams).map((n) => ({ id: n + 1, name: `stream ${n}`, recipient: 1000 + n })),
    zerver_recipient: [
      ...numbers(people).map((n) => ({ id: n + 1, type: 1, type_id: n + 1 })),
      ...numbers(streams).map((n) => ({ id: 1000 + n, type: 2, type_id: n + 1 })),
    ],
    zerver_subscription: numbers(people).map((n) => ({
      id: n,
      user_profile: n + 1,
      recipient: 1000 + (n % streams),
      active: true,
    })),
    zerver_reaction: numbers(Math.floor(count / 5)).map((n) => ({
      ...{ id: n, user_profile: personOf(n), message: n * 5 + 1, emoji_name: '+1', emoji_code: '1f44d' },
      reaction_type: 'unicode_emoji',
    })),
  });
  writeFileSync(join(folder, 'realm.json'), realm);
  return count;
}
