import { once } from 'node:events';
import { createWriteStream, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** 2026-03-02, a Monday. */
const firstMs = 1_772_442_000_000;
const people = ['Inès Bruun', 'Tomasz', 'Mei'].map((name, index) => ({
  name,
  email: `person-${index}@example.com`,
  user_type: 'Human',
}));
const day = new Intl.DateTimeFormat('en-US', { timeZone: 'UTC', dateStyle: 'full' });
const time = new Intl.DateTimeFormat('en-US', { timeZone: 'UTC', timeStyle: 'medium' });

/** A download of about so many bytes, always the same: one space, a row a line. @returns how many messages it has. */
export async function makeExport(folder: string, bytes: number): Promise<number> {
  const group = join(folder, 'Takeout/Google Chat/Groups/Space AAAA');
  mkdirSync(group, { recursive: true });
  writeFileSync(join(group, 'group_info.json'), JSON.stringify({ name: 'Made', members: people }));
  const file = createWriteStream(join(group, 'messages.json'));
  let messages = 0;
  let written = 0;
  const write = async (text: string) => {
    written += Buffer.byteLength(text);
    if (!file.write(text)) await once(file, 'drain');
  };
  await write('{"messages":[\n');
  for (; written < bytes; messages += 1)
    await write((messages === 0 ? '' : ',\n') + JSON.stringify(messageOf(messages)));
  await write('\n]}');
  file.end();
  await once(file, 'finish');
  return messages;
}

/** Every fourth one answers, every fifth has a bold word. */
function messageOf(number: number): object {
  const ms = firstMs + number * 700;
  const topic = number % 4 === 3 ? number - 1 : number;
  const annotation = { start_index: 0, length: 7, format_metadata: { format_type: 'BOLD' } };
  return {
    creator: people[number % people.length],
    created_date: `${day.format(ms)} at ${time.format(ms)} UTC`,
    text: `Message ${number}, ${'with some words '.repeat(number % 12)}to the end`,
    ...(number % 5 === 0 && { annotations: [annotation] }),
    topic_id: `t${topic}`,
    message_id: `AAAA/t${topic}/t${number}`,
  };
}
