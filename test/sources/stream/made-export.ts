import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';

const people = 50;
const channels = 20;
/** 2026-03-02, a Monday. */
const firstMs = 1_772_442_000_000;

const userOf = (number: number) => `person-${number % people}`;
const timeOf = (number: number) => new Date(firstMs + number * 700).toISOString();

/** An import file of about so many bytes, always the same: every fourth message answers another. @returns how many messages it has. */
export async function makeExport(folder: string, bytes: number): Promise<number> {
  const file = createWriteStream(join(folder, 'import.jsonl'));
  let written = 0;
  const write = async (type: string, item: object) => {
    const line = `${JSON.stringify({ type, item })}\n`;
    written += Buffer.byteLength(line);
    if (!file.write(line)) await once(file, 'drain');
  };
  for (let number = 0; number < people; number += 1)
    await write('user', { id: userOf(number), role: 'user', name: `Person ${number}` });
  for (let number = 0; number < channels; number += 1)
    await write('channel', {
      id: `channel-${number}`,
      type: 'messaging',
      name: `Channel ${number}`,
      created_by: userOf(number),
    });
  let messages = 0;
  for (; written < bytes * 0.95; messages += 1) await write('message', messageOf(messages));
  for (let number = 0; written < bytes && number < messages; number += 5)
    await write('reaction', {
      message_id: idOf(number),
      type: 'like',
      user_id: userOf(number + 2),
      created_at: timeOf(number),
    });
  file.end();
  await once(file, 'finish');
  return messages;
}

const idOf = (number: number) => `0b6f8a3e-5c2d-4e1f-9a7b-${String(number).padStart(12, '0')}`;

/** Those of one channel are `channels` apart. */
const messageOf = (number: number) => ({
  id: idOf(number),
  channel_type: 'messaging',
  channel_id: `channel-${number % channels}`,
  user: userOf(number),
  type: 'regular',
  text: `Message ${number} for @Person ${(number + 1) % people}: ${'with some words '.repeat(number % 12)}to the end`,
  mentioned_users_ids: [userOf(number + 1)],
  created_at: timeOf(number),
  ...(number % 4 === 3 &&
    number >= 2 * channels && { parent_id: idOf(number - channels - ((number - channels) % 4 === 3 ? channels : 0)) }),
});
