import { expect, it } from 'vitest';
import { localFiles } from '../../../../src/sources/kit/files/local-files.ts';
import { memoryInput } from '../../../contracts/memory-input.ts';

const files = await localFiles(memoryInput({ 'chat/photos/a #1.jpg': 'abc', secret: 'x' }), 'chat/');

it('a file of the export becomes an attachment whose address is its path', async () => {
  const attachment = await files.attachment({ path: './photos\\a #1.jpg', id: '7', mimeType: 'image/jpeg' });
  expect(attachment).toEqual({
    id: '7',
    name: 'a #1.jpg',
    url: 'chat/photos/a%20%231.jpg',
    mimeType: 'image/jpeg',
    sizeBytes: 3,
  });
  expect(files.has('photos/a #1.jpg')).toBe(true);
});

it('a file that is not there keeps its name, and nothing outside is looked up', async () => {
  for (const path of ['photos/b.jpg', '../secret', '/etc/passwd', 'C:\\x']) {
    expect(await files.attachment({ path, name: 'b' })).toEqual({ name: 'b', unavailable: 'not-in-export' });
  }
  expect(await files.attachment({ path: '' })).toEqual({ name: 'file', unavailable: 'not-in-export' });
});
