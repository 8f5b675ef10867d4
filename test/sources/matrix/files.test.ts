import { describe, expect, it } from 'vitest';
import { readAttachment, FilesBeside } from '../../../src/sources/matrix/files.ts';
import { matrix } from '../../../src/sources/matrix/index.ts';
import { memoryInput } from '../../contracts/memory-input.ts';
import { messagesOf } from '../../contracts/source/check.ts';
import { readAll } from '../../contracts/source.ts';

const sentAtMs = Date.parse('2026-03-02T09:00:12Z');
const find = (paths: readonly string[], body: string) =>
  new FilesBeside(paths, 'room/').find('m.image', { body }, sentAtMs);

describe('files next to an export of Element', () => {
  it.each([
    ['is found by its name', ['room/images/a-2.3.2026 um 10-00-12.png'], 'images/a-2.3.2026 um 10-00-12.png'],
    [
      'of two is the one of its minute and second',
      ['room/images/a-x-00-12.png', 'room/images/a-x-07-12.png'],
      'images/a-x-00-12.png',
    ],
    ['of two of one second is none of them', ['room/images/a-x-00-12.png', 'room/images/a-y-00-12.png'], undefined],
    [
      'is not one of another kind, folder or name',
      ['room/videos/a-x.png', 'images/a-x.png', 'room/images/ab-x.png'],
      undefined,
    ],
  ])('a file %s', (_, paths, expected) => expect(find(paths, 'a.png')).toBe(expected));

  it('are no events, whatever is in them', async () => {
    const event = { type: 'm.room.message', sender: '@a:example.com', content: { body: 'Hi' }, origin_server_ts: 1 };
    const messages = [{ ...event, event_id: '$1', room_id: '!r:example.com' }];
    const top = { room_name: 'R', room_creator: 'A', topic: '', export_date: '1/1/1970', exported_by: 'A' };
    const files = { 'export.json': { ...top, messages }, 'files/a-1-1-1970 at 1-00-00.json': [event] };
    const entries = await readAll(matrix, memoryInput(files));
    expect(messagesOf(entries).map(({ text }) => text)).toEqual(['Hi']);
    expect(entries.filter(({ type }) => type === 'invalid')).toEqual([]);
    expect(entries).toContainEqual(
      expect.objectContaining({ path: 'files/a-1-1-1970 at 1-00-00.json', role: 'skipped' }),
    );
  });
});

describe('readAttachment()', () => {
  it('has no address for a file that is stored encrypted', () => {
    const file = readAttachment('m.file', { body: 'a.pdf', file: { url: 'mxc://example.com/x' } }, () => {});
    const expected = { id: 'example.com/x', name: 'a.pdf', kind: 'm.file', unavailable: 'encrypted' };
    expect(file).toEqual(expected);
  });
});
