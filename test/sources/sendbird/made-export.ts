import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';

const people = 50;
const channels = 20;
/** 2026-03-02, a Monday. */
const firstMs = 1_772_442_000_000;
const firstId = 10_463_242_990;

const userOf = (number: number) => ({
  user_id: `person-${number % people}`,
  nickname: `Person ${number % people}`,
  profile_url: '',
  metadata: {},
});

/** An export of messages of about so many bytes, always the same: every fourth answers the first of its channel. @returns how many messages it has. */
export async function makeExport(folder: string, bytes: number): Promise<number> {
  const file = createWriteStream(join(folder, 'messages.json'));
  let written = 0;
  const write = async (text: string) => {
    written += Buffer.byteLength(text);
    if (!file.write(text)) await once(file, 'drain');
  };
  await write('{"messages":[\n');
  let messages = 0;
  for (; written < bytes; messages += 1) await write(`${messages === 0 ? '' : ',\n'}${messageOf(messages)}`);
  await write('\n]}\n');
  file.end();
  await once(file, 'finish');
  return messages;
}

const messageOf = (number: number): string =>
  JSON.stringify({
    type: 'MESG',
    message_id: firstId + number,
    message: `Message ${number} for Person ${(number + 1) % people}: ${'with some words '.repeat(number % 12)}to the end`,
    custom_type: '',
    created_at: firstMs + number * 700,
    channel_url: `sendbird_group_channel_${number % channels}_made`,
    updated_at: 0,
    mentioned_users: [],
    mention_type: 'users',
    is_removed: false,
    req_id: `rq-${number}`,
    data: '',
    file: {},
    user: userOf(number),
    message_survival_seconds: -1,
    silent: false,
    translations: {},
    ...(number % 5 === 0 && {
      reactions: [{ key: 'heart', user_ids: [`person-${(number + 2) % people}`], updated_at: firstMs }],
    }),
    ...(number % 4 === 3 && number >= channels && { parent_message_id: firstId + (number % channels) }),
  });
