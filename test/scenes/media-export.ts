import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Attachment, ChatRecord } from '../../src/model/records.ts';
import { channel, person, says, writeRecords } from './write-records.ts';

const file = (url: string, name: string, more: Partial<Attachment> = {}): Attachment => ({ url, name, ...more });

/** Secret of the address that is never asked. */
export const mediaSecret = 'token=never-shown';

/**
 * A folder with an export of our own records and the files of its messages: two of the same content, one that is used twice, one that is
 * not there, one at an address that is never asked, and one without an address. Nothing of it needs the network.
 */
export function writeMediaExport(folder: string, more: readonly ChatRecord[] = []): string {
  const path = join(folder, 'export');
  mkdirSync(join(path, 'files'), { recursive: true });
  writeFileSync(join(path, 'files', 'a.png'), 'same');
  writeFileSync(join(path, 'files', 'b.png'), 'same');
  writeFileSync(join(path, 'files', 'c.txt'), 'another');
  writeRecords(join(path, 'export.ndjson'), [
    person('ann'),
    person('bob'),
    channel('one', { members: ['ann', 'bob'] }),
    says(1, 'one', 'ann', 'two', {
      attachments: [
        file('files/a.png', 'a.png', { mimeType: 'image/png', sizeBytes: 4 }),
        file('files/b.png', 'b.png', { mimeType: 'image/png', sizeBytes: 4 }),
      ],
    }),
    says(2, 'one', 'bob', '', { attachments: [file('files/c.txt', 'c.txt')] }),
    says(3, 'one', 'bob', 'gone', { attachments: [file('files/gone.txt', 'gone.txt')] }),
    says(4, 'one', 'ann', 'private', { attachments: [file(`https://10.0.0.1/inner?${mediaSecret}`, '=inner.bin')] }),
    says(5, 'one', 'bob', 'again', { attachments: [file('files/a.png', 'a.png', { mimeType: 'image/png' })] }),
    says(6, 'one', 'bob', 'nowhere', { attachments: [{ name: 'nowhere.bin' }] }),
    says(7, 'one', 'ann', 'nothing else'),
    ...more,
  ]);
  return path;
}
