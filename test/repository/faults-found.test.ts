import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { faults } from '../mutation/faults.ts';
import { root } from './tracked-files.ts';

it('every fault of the mutation run has one place in its file', () => {
  const places = faults.map(({ file, text }) => [file, readFileSync(join(root, file), 'utf8').split(text).length - 1]);
  expect(places.filter(([, count]) => count !== 1)).toEqual([]);
});
