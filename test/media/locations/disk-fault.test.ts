import { describe, expect, it } from 'vitest';
import { onDisk } from '../../../src/media/locations/disk-fault.ts';

const fault = (code: string) => () => Promise.reject(Object.assign(new Error(`${code}: open`), { code }));

describe('onDisk()', () => {
  it.each([
    ['EROFS', 'its file system is read-only', 'Mount it so that it can be written'],
    ['EACCES', 'this user may not write there', 'Let this user write there'],
    ['ENOSPC', 'the disk is full', 'Free some space'],
  ])('says of %s that %s, and what to do', async (code, words, hint) => {
    await expect(onDisk(fault(code))).rejects.toMatchObject({
      message: `Cannot use the folder for files: ${words}`,
      hint: expect.stringContaining(hint),
      kind: 'stop',
    });
  });
});
