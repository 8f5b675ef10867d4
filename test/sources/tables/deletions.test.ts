import { describe, expect, it } from 'vitest';
import type { Reading } from '../../../src/sources/table-source.ts';
import { csv } from '../../../src/sources/csv/index.ts';
import { type MemoryFiles, memoryInput } from '../../contracts/memory-input.ts';
import { messagesIn, readCsv } from './export-of.ts';

const users = 'id,email,username\n1,ann@example.org,ann\n2,bo@example.org,bo\n';
const rooms = 'id,name\n7,Quay\n8,Yard\n';
const members = 'id,room_id,user_id\n1,7,1\n2,7,2\n3,8,1\n4,8,2\n';
const messages = [
  'id,room_id,user_id,created_at,body',
  ...[1, 2, 3, 4, 5, 6].map(
    (id) => `${id},${id % 2 ? 7 : 8},${id % 3 ? 1 : 2},2024-03-01T09:0${id}:00Z,ship ${id} waits`,
  ),
].join('\n');

const chat = { 'users.csv': users, 'rooms.csv': rooms, 'room_members.csv': members, 'messages.csv': messages };

/** The readings of the table of messages, and the ids that each yields. */
async function readings(files: MemoryFiles) {
  const { findings } = await csv.propose(memoryInput({ ...chat, ...files }), {});
  const found = findings.find(({ key }) => key === 'tables.messages');
  const ids = async ({ value }: Reading) => {
    const columns = { id: 'id', conversation: 'room_id', author: 'user_id', time: 'created_at', text: 'body' };
    const source = { messages: columns, tables: { messages: value } };
    return messagesIn(await readCsv({ ...chat, ...files }, source)).map(({ origin }) => origin.id);
  };
  return { found, ids: await Promise.all((found?.alternatives ?? []).map(ids)) };
}

describe('messages that another table marks as deleted', () => {
  it('are left out by a reading if each of their receivers has deleted them', async () => {
    const receipts = [
      'id,message_id,user_id,deleted_at',
      ...['1,1,1,2024-04-01T00:00:00Z', '2,1,2,2024-04-01T00:00:00Z', '3,2,1,2024-04-01T00:00:00Z', '4,2,2,', '5,3,1,'],
      '',
    ].join('\n');
    const { found, ids } = await readings({ 'message_receipts.csv': receipts });
    expect(found?.because).toBe('other tables say more of the rows of "messages"');
    expect(found?.alternatives[0]?.because).toBe(
      'without those for which every row in "message_receipts" has "deleted_at"; 3 of 5 of its rows have',
    );
    expect(ids).toEqual([
      ['2', '3', '4', '5', '6'],
      ['1', '2', '3', '4', '5', '6'],
    ]);
  });

  it('are left out by a reading if a table of deletions has a row of each member', async () => {
    const deletions = 'id,message_id,user_id\n1,1,1\n2,1,2\n3,1,2\n4,2,1\n5,2,1\n';
    const { ids } = await readings({ 'message_deletions.csv': deletions });
    expect(ids).toEqual([
      ['2', '3', '4', '5', '6'],
      ['1', '2', '3', '4', '5', '6'],
    ]);
  });

  it('are left out by a reading for each code of what people have done', async () => {
    const actions = 'id,message_id,user_id,action\n1,1,1,2\n2,1,2,2\n3,3,1,1\n4,3,2,1\n5,2,1,2\n';
    const { ids } = await readings({ 'message_user_actions.csv': actions });
    expect(ids).toEqual([
      ['2', '3', '4', '5', '6'],
      ['1', '2', '4', '5', '6'],
      ['1', '2', '3', '4', '5', '6'],
    ]);
  });

  it('are not asked about if nothing was deleted, or only files and reactions', async () => {
    const none = 'id,message_id,user_id,deleted\n1,1,1,f\n2,1,2,f\n';
    const hearts = 'id,message_id,user_id,emoji,deleted\n1,1,1,❤️,t\n2,1,2,❤️,t\n';
    for (const files of [{ 'receipts.csv': none }, { 'reactions.csv': hearts }] satisfies MemoryFiles[]) {
      const { found } = await readings(files);
      expect(found).toMatchObject({ value: { file: 'messages.csv' }, alternatives: [] });
    }
  });

  it('by a key in the JSON of a cell are bound as deleted, and hidden ones asked about', async () => {
    const cells = [
      'id,room_id,user_id,created_at,body,attributes',
      '1,7,1,2024-03-01T09:01:00Z,ship 1 waits,{}',
      '2,7,2,2024-03-01T09:02:00Z,ship 2 waits,"{""deleted"": true}"',
      '3,8,1,2024-03-01T09:03:00Z,ship 3 waits,"""{\\""deleted\\"": true}"""',
      '4,8,2,2024-03-01T09:04:00Z,ship 4 waits,"{""is_whisper"": true}"',
      '5,7,1,2024-03-01T09:05:00Z,ship 5 waits,"{""deleted"": false}"',
      '6,7,2,2024-03-01T09:06:00Z,ship 6 waits,{}',
    ].join('\n');
    const files = { 'messages.csv': cells };
    const { findings, options } = await csv.propose(memoryInput(files), {});
    expect(options.messages).toMatchObject({ deleted: 'attributes.deleted' });
    const asked = findings.find(({ key }) => key === 'messages.only');
    expect(asked).toMatchObject({ value: { 'attributes.is_whisper': ['', 'false'] } });
    const source = {
      messages: {
        ...{ id: 'id', conversation: 'room_id', author: 'user_id', time: 'created_at', text: 'body' },
        ...{ deleted: 'attributes.deleted', only: asked?.value },
      },
    };
    const entries = messagesIn(await readCsv(files, source));
    expect(entries.filter(({ isDeleted }) => !isDeleted).map(({ origin }) => origin.id)).toEqual(['1', '5', '6']);
  });
});
