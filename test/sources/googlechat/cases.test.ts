import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Entry } from '../../../src/model/entry.ts';
import type { MessageRecord } from '../../../src/model/records.ts';
import { openExport } from '../../../src/io/input/open-export.ts';
import { googlechat } from '../../../src/sources/googlechat/index.ts';
import { memoryInput } from '../../contracts/memory-input.ts';
import { readAll } from '../../contracts/source.ts';

const kinds = resolve('test/sources/googlechat/cases/kinds');
const space = 'Takeout/Google Chat/Groups/Space AAAAcase1';

async function readFolder(path: string): Promise<readonly Entry[]> {
  const [input] = await openExport([path]);
  const entries = await readAll(googlechat, input!);
  await input!.close();
  return entries;
}
const messagesOf = (entries: readonly Entry[]): readonly MessageRecord[] =>
  entries.flatMap((entry) => (entry.type === 'record' && entry.record.kind === 'message' ? [entry.record] : []));
const byTopic = (entries: readonly Entry[]) =>
  new Map(messagesOf(entries).map((record) => [record.origin.id.split('/').at(-1)!, record]));

describe('content outside of the text', () => {
  it('becomes its visible form: a call, an event, links, files', async () => {
    const messages = byTopic(await readFolder(kinds));
    expect(messages.get('t6')).toMatchObject({ text: 'Call ended', call: { endedAtMs: expect.any(Number) } });
    expect(messages.get('t8')!.text).toBe('Event: Launch party\n2026-01-06T10:00:00Z to 2026-01-06T11:00:00Z');
    expect(messages.get('t9')!.text).toBe('Created a task for @Tom Two (via Tasks)');
    expect(messages.get('t10')!.text).toContain('Plan.docx');
    expect(messages.get('t11')!.text).toContain('https://youtu.be/yt1');
    for (const topic of ['t13', 't14', 't15', 't16'])
      expect(messages.get(topic)!.attachments).toEqual([expect.objectContaining({ sizeBytes: expect.any(Number) })]);
    expect(messages.get('t14')!.attachments![0]!.url).toContain('(1).jpg');
  });

  it('is named if unknown, and a row is called blank only if it is empty', async () => {
    const entries = await readFolder(kinds);
    expect(entries.filter(({ type }) => type === 'invalid')).toEqual([]);
    expect(messagesOf(entries).flatMap(({ unread }) => unread ?? [])).toEqual(['annotations: new_thing_2027']);
  });

  const readOne = async (fields: object) => {
    const creator = { name: 'Ines', email: 'ines@example.com', user_type: 'Human' };
    const row = { creator, created_date: '2026-03-02T09:00:00Z', topic_id: 't', message_id: 'abc/t/t', ...fields };
    return readAll(googlechat, memoryInput({ 'Groups/DM abc/messages.json': { messages: [row] } }));
  };

  it.each([
    [
      { poll_metadata: { question: 'When?', options: [{ text: 'Now' }, { text: 'Later' }] } },
      '**When?**\n- Now\n- Later',
    ],
    [{ gsuite_integration_metadata: { tasks_data: { task_properties: { title: 'Rope' } } } }, 'Task: Rope'],
    [{ gsuite_integration_metadata: { call_data: { call_status: 'CALL_MISSED' } } }, 'Call missed'],
  ])('%j is shown as text', async (annotation, text) => {
    const [message] = messagesOf(await readOne({ annotations: [{ start_index: 0, length: 0, ...annotation }] }));
    expect(message!.text).toBe(text);
  });

  it.each([
    [{ card: { title: 'x' } }, 'card'],
    [
      { annotations: [{ gsuite_integration_metadata: { forms_data: {} } }] },
      'annotations: gsuite_integration_metadata',
    ],
  ])('%j is named', async (fields, name) => {
    expect(messagesOf(await readOne(fields))).toMatchObject([{ text: '', unread: [name] }]);
  });

  it('is not claimed of a row that holds nothing', async () => {
    expect(messagesOf(await readOne({ annotations: [], card: null }))).toMatchObject([{ text: '', unread: undefined }]);
  });
});

it('the folder of a space is read by itself as in the download', async () => {
  const alone = await readFolder(join(kinds, space));
  const whole = await readFolder(kinds);
  const told = (entries: readonly Entry[]): unknown[] => {
    const files = ({ attachments = [] }: MessageRecord) => attachments.map(({ name, sizeBytes }) => [name, sizeBytes]);
    return [
      ...entries.flatMap((entry) =>
        entry.type === 'record' && entry.record.kind === 'conversation' ? [entry.record] : [],
      ),
      ...messagesOf(entries).map((message) => [message.origin, message.text, files(message)]),
    ];
  };
  expect(told(alone)).toEqual(told(whole));
  expect(alone.filter((entry) => entry.type === 'file' && entry.role === 'unknown')).toEqual([]);
});
