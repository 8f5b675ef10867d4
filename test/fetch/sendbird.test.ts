import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { runJson } from '../cli/in-process.ts';
import { temporaryFolder } from '../scenes/temporary-folder.ts';
import { fetchMock, rowsIn } from './fetched.ts';
import { sendbirdDialect } from './mock/sendbird.ts';
import { addConversation, makeWorld } from './mock/world.ts';

const home = temporaryFolder();

it('a fetch from sendbird keeps every digit of ids', async () => {
  const { out } = await fetchMock(home.make(), sendbirdDialect, makeWorld(1, 3));
  expect(readFileSync(join(out, 'messages.ndjson'), 'utf8').match(/(?<="message_id":)\d+/g)).toEqual([
    '90000000000000001',
    '90000000000000002',
    '90000000000000003',
  ]);
});

it('a fetch from sendbird says whose members are whose, also in a channel in which nobody wrote', async () => {
  const world = makeWorld(2, 3);
  addConversation(world);
  const { folder, out } = await fetchMock(home.make(), sendbirdDialect, world);
  const members = (rowsIn(out) as readonly { channel_url?: string; state?: string; user_id?: string }[]).filter(
    ({ state }) => state !== undefined,
  );
  expect(members.map(({ channel_url, user_id }) => [channel_url, user_id])).toEqual([
    ['sendbird_group_channel_3', 'person-4'],
    ['sendbird_group_channel_3', 'person-5'],
    ['sendbird_group_channel_1', 'person-2'],
    ['sendbird_group_channel_1', 'person-3'],
  ]);
  const { json, code } = await runJson(['plan', out, '--quiet'], { folder });
  expect({ code, read: (json as { readonly read: number }).read }).toEqual({ code: 0, read: 6 });
});
