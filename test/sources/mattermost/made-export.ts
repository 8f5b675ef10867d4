import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';

const people = 50;
const channels = 20;
/** 2026-03-02, a Monday. */
const firstMs = 1_772_442_000_000;

/** A bulk export of about so many bytes, always the same: every fourth post has replies. @returns how many messages it has. */
export async function makeExport(folder: string, bytes: number): Promise<number> {
  const file = createWriteStream(join(folder, 'import.jsonl'));
  let written = 0;
  const write = async (value: object) => {
    const line = `${JSON.stringify(value)}\n`;
    written += Buffer.byteLength(line);
    if (!file.write(line)) await once(file, 'drain');
  };
  for (const line of headLines()) await write(line);
  let messages = 0;
  for (let number = 0; written < bytes; number += 1) {
    const replies = number % 4 === 3 ? [1, 2, 3].map((after) => replyOf(number, after)) : [];
    await write({ type: 'post', post: { ...postOf(number), replies } });
    messages += 1 + replies.length;
  }
  file.end();
  await once(file, 'finish');
  return messages;
}

function headLines(): object[] {
  const names = Array.from({ length: channels }, (_, index) => `channel-${index}`);
  return [
    { type: 'version', version: 1 },
    { type: 'team', team: { name: 'made', display_name: 'Made', type: 'O' } },
    ...names.map((name) => ({ type: 'channel', channel: { team: 'made', name, display_name: name, type: 'O' } })),
    ...Array.from({ length: people }, (_, index) => ({
      type: 'user',
      user: {
        username: `person.${index}`,
        email: `person-${index}@example.com`,
        roles: 'system_user',
        teams: [{ name: 'made', channels: names.map((name) => ({ name })) }],
      },
    })),
  ];
}

const userOf = (number: number) => `person.${number % people}`;

const postOf = (number: number) => ({
  team: 'made',
  channel: `channel-${number % channels}`,
  user: userOf(number),
  type: '',
  message: `Message ${number} for @${userOf(number + 1)}: ${'with some words '.repeat(number % 12)}to the end :wave:`,
  props: {},
  create_at: firstMs + number * 700,
  edit_at: 0,
  is_pinned: false,
  reactions:
    number % 5 === 0 ? [{ user: userOf(number + 2), create_at: firstMs + number * 700, emoji_name: '+1' }] : null,
  attachments: null,
});

const replyOf = (number: number, after: number) => ({
  user: userOf(number + after),
  message: `Reply ${after} to ${number}, in a few words`,
  create_at: firstMs + number * 700 + after,
  edit_at: 0,
  reactions: null,
  attachments: null,
});
