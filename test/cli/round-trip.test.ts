import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../scenes/temporary-folder.ts';
import { run, runJson, serveSandbox, testKey } from './in-process.ts';

const home = temporaryFolder();
const env = { CHATFERRY_API_KEY: testKey, CHATFERRY_FROM_KEY: testKey };

/** Messages as an app would import them, with everything that people, groups and messages can have there. */
const bodies = (chatferry: object) => ({
  messages: {
    'm-1': {
      ...{ muid: 'm-1', sender: 'ines', receiverType: 'group', receiver: 'harbour', sentAt: '1772467320' },
      ...{ category: 'message', type: 'text', tags: ['pinned-by-crew', 'tide'] },
      data: { text: 'The tide is in', metadata: { chatferry: { v: 1, key: 'm-1', ...chatferry } } },
      senderUserDetails: { uid: 'ines', name: 'Ines', metadata: { shift: 'night', '@private': { phone: '1' } } },
      receiverUserDetails: {
        ...{ guid: 'harbour', uid: 'harbour', name: 'Harbour crew', type: 'password' },
        ...{ icon: 'https://img.example.com/harbour.png', metadata: { pier: 4 } },
      },
    },
  },
});

// biome-ignore lint/suspicious/noExplicitAny: the service's own shape, as it comes
async function onlyMessage(url: string): Promise<any> {
  const answer = await fetch(`${url}/v3/messages?limit=10`, { headers: { apikey: testKey } });
  const { data } = (await answer.json()) as { data: object[] };
  expect(data).toHaveLength(1);
  return data[0];
}

it('fetch, then import brings tags, metadata and icons into another app, and counts what an import has no field for', async () => {
  const folder = home.make();
  const [one, other] = [await serveSandbox(folder, { data: 'one.db' }), await serveSandbox(folder, { data: 'two.db' })];
  await fetch(`${one.url}/v3/data_import/messages`, {
    method: 'POST',
    headers: { apikey: testKey, 'content-type': 'application/json' },
    body: JSON.stringify(bodies({ thread: 'never-sent', quote: 'never-sent' })),
  });
  const fetched = await run(['fetch', '--from', one.url, '--out', 'one'], { folder, env });
  expect(fetched).toMatchObject({ code: 0 });
  expect(await runJson(['import', 'one', '--to', other.url, '--yes'], { folder, env })).toMatchObject({
    code: 0,
    json: { imported: 1, verify: { same: 1 } },
  });
  const message = await onlyMessage(other.url);
  const { sender, receiver } = message.data.entities;
  expect(message.tags).toEqual(['pinned-by-crew', 'tide']);
  expect(sender.entity).toMatchObject({ uid: 'ines', metadata: { shift: 'night' } });
  expect(sender.entity.metadata).not.toHaveProperty('@private');
  expect(receiver.entity).toMatchObject({
    ...{ type: 'private', icon: 'https://img.example.com/harbour.png', metadata: { pier: 4 } },
  });
  expect(message.data.metadata.chatferry).not.toHaveProperty('thread');
  expect(message.data.metadata.chatferry).not.toHaveProperty('quote');
});

it('fields of people and groups that are in a listing but not in an import are in the report', async () => {
  const folder = home.make();
  const row = {
    ...{ id: '7', conversationId: 'group_harbour', sender: 'ines', receiverType: 'group', receiver: 'harbour' },
    ...{ category: 'message', type: 'text', sentAt: 1_772_467_320 },
    data: {
      text: 'The tide is in',
      entities: {
        sender: {
          entityType: 'user',
          entity: {
            uid: 'ines',
            name: 'Ines',
            role: 'moderator',
            tags: ['crew'],
            metadata: { notes: 'x'.repeat(5000) },
          },
        },
        receiver: {
          entityType: 'group',
          entity: { guid: 'harbour', name: 'Harbour', type: 'password', tags: ['pier'] },
        },
      },
    },
  };
  writeFileSync(join(folder, 'page.json'), JSON.stringify({ data: [row], meta: {} }));
  const { json } = await runJson(['plan', 'page.json'], { folder });
  expect(json.losses).toMatchObject({
    'tags, links and roles of people': 1,
    'tags of groups': 1,
    'passwords of groups': 1,
    'large metadata': 1,
  });
});
