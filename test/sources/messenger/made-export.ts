import { once } from 'node:events';
import { createWriteStream, mkdirSync } from 'node:fs';
import { join } from 'node:path';

const perFile = 10_000;
/** 2026-03-02, a Monday. */
const firstMs = 1_772_442_000_000;
const people = ['Inès Bruun', 'Tomasz', 'Renée Żak'];

/** As the download writes letters: UTF-8 taken for Latin-1, in escapes. */
const json = (value: object): string =>
  JSON.stringify(value, (_key, inner: unknown) =>
    typeof inner === 'string' ? Buffer.from(inner, 'utf8').toString('latin1') : inner,
  ).replace(/[\u0080-\u00ff]/g, (letter) => `\\u00${letter.charCodeAt(0).toString(16)}`);

/** A download of about so many bytes, always the same: one group in files of 10,000 messages. @returns how many messages it has. */
export const makeExport = (folder: string, bytes: number): Promise<number> =>
  makeDownload(join(folder, 'your_facebook_activity'), bytes);

/** The same in a folder of either service. */
export async function makeDownload(folder: string, bytes: number): Promise<number> {
  const thread = join(folder, 'messages/inbox/made_1');
  mkdirSync(thread, { recursive: true });
  let written = 0;
  let messages = 0;
  for (let number = 1; written < bytes; number += 1) {
    const file = createWriteStream(join(thread, `message_${number}.json`));
    const write = async (text: string) => {
      written += Buffer.byteLength(text);
      if (!file.write(text)) await once(file, 'drain');
    };
    await write(`{"participants":${json(people.map((name) => ({ name })))},"messages":[`);
    for (let row = 0; row < perFile && written < bytes; row += 1) {
      await write((row === 0 ? '\n' : ',\n') + json(messageOf(messages)));
      messages += 1;
    }
    await write(
      `\n],${json({ title: 'Harbour ⚓', is_still_participant: true, thread_path: 'inbox/made_1' }).slice(1)}`,
    );
    file.end();
    await once(file, 'finish');
  }
  return messages;
}

/** The latest is the first. */
function messageOf(number: number): object {
  const reactions = number % 5 === 0 ? [{ reaction: '❤', actor: people[(number + 1) % people.length] }] : undefined;
  return {
    sender_name: people[number % people.length],
    timestamp_ms: firstMs - number * 700,
    content: `Message ${number}, ${'with some words '.repeat(number % 12)}déjà written`,
    reactions,
    is_geoblocked_for_viewer: false,
  };
}
