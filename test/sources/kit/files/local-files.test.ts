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

it('a file is found however its letters are composed, at the address that the export has', async () => {
  const names = { apart: 'Gru\u0308\u00dfe.jpg', together: 'Gr\u00fc\u00dfe.jpg' };
  for (const [there, named] of [
    [names.apart, names.together],
    [names.together, names.apart],
  ] as const) {
    const beside = await localFiles(memoryInput({ [`photos/${there}`]: 'abc' }));
    expect(beside.has(`photos/${named}`)).toBe(true);
    const { url, name } = await beside.attachment({ path: `photos/${named}` });
    expect({ url, name }).toEqual({ url: `photos/${encodeURIComponent(there)}`, name: named });
  }
});

it('the first bytes say what a file is, if neither its row nor its name does', async () => {
  const png = Buffer.from('89504e470d0a1a0a0000', 'hex');
  const beside = await localFiles(memoryInput({ 'files/7': png, 'files/8': 'words', 'files/9.jpg': png }));
  const typeAt = async (path: string) => (await beside.attachment({ path })).mimeType;
  expect(await Promise.all(['files/7', 'files/8', 'files/9.jpg'].map(typeAt))).toEqual([
    'image/png',
    undefined,
    undefined,
  ]);
});
