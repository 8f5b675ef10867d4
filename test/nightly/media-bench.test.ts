import { expect, it } from 'vitest';
import { mediaTable } from '../../bench/media.ts';

it('mediaTable() copies every file to each place, and has a row for it', async () => {
  const rows = (await mediaTable(0.001)).split('\n').filter((line) => /^\| \d/.test(line));
  expect(rows.map((row) => row.split('|')[1]!.trim())).toEqual([
    '20 KB, folder',
    '20 KB, bucket',
    '20 KB, s3rver',
    '100 MB, folder',
    '100 MB, bucket',
  ]);
});
