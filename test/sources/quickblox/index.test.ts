import { describe, expect, it } from 'vitest';
import { quickblox } from '../../../src/sources/quickblox/index.ts';
import { memoryInput } from '../../contracts/memory-input.ts';
import { messagesOf } from '../../contracts/source/check.ts';
import { readAll } from '../../contracts/source.ts';

const id = '69a5566400000000aaaa0001';
const row = {
  _id: id,
  chat_dialog_id: id,
  sender_id: 7,
  message: 'Hi',
  date_sent: 1772442900,
  created_at: '2026-03-03T00:00:00Z',
};
const read = (items: readonly object[]) => readAll(quickblox, memoryInput({ 'a.json': { items } }));
const one = async (fields: object) => messagesOf(await read([{ ...row, ...fields }]))[0]!;
const typeOf = async (fields: object) => {
  const dialog = { _id: id, name: 'Crew', occupants_ids: [1, 2], xmpp_room_jid: null, ...fields };
  return (await read([dialog])).flatMap((entry) =>
    entry.type === 'record' && entry.record.kind === 'conversation' ? [entry.record.type] : [],
  );
};

describe('a message of QuickBlox', () => {
  it('was sent when it says so, not when the server stored it', async () => {
    expect((await one({})).sentAtMs).toBe(1772442900000);
  });

  it('keeps parameters of the app, and is an event if one of them says so', async () => {
    expect(await one({ age: '25' })).toMatchObject({ custom: { age: '25' }, systemEvent: undefined });
    expect(await one({ notification_type: 1 })).toMatchObject({ systemEvent: 'notification 1' });
    expect(await one({ notification_type: '0' })).toMatchObject({ systemEvent: undefined });
  });

  it('that some deleted is asked about', async () => {
    const entries = await read([{ ...row, deleted_for_ids: [7] }]);
    expect(entries).toContainEqual(expect.objectContaining({ code: 'quickblox-deleted-for-some', count: 1 }));
  });

  it('has files without an address of the web', async () => {
    const { attachments } = await one({ attachments: [{ id: 47, type: 'image', url: 'file:///a.png' }] });
    expect(attachments).toEqual([{ id: '47', name: 'image 47', kind: 'image', unavailable: 'not-in-export' }]);
  });
});

describe('a dialog', () => {
  it.each([
    [{ type: 3 }, 'direct'],
    [{ type: 3, occupants_ids: [1] }, 'private'],
    [{ type: 2 }, 'private'],
    [{ type: 1, xmpp_room_jid: '1_a@muc.chat.quickblox.com' }, 'public'],
    [{ type: 1, xmpp_room_jid: '1_a@muc.chat.connectycube.com' }, 'private'],
    [{ type: 4, xmpp_room_jid: '1_a@muc.chat.connectycube.com' }, 'public'],
  ])('%j is %s', async (fields, type) => {
    expect(await typeOf(fields)).toEqual([type]);
  });
});
