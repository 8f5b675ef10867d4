import { describe, expect, it } from 'vitest';
import { sources } from '../../src/sources/registry.ts';
import { foreignFiles } from './kinds/foreign-files.ts';
import { gapsOf, type Kind } from './kinds/kind.ts';
import { messageNames } from './kinds/message-names.ts';
import { nestedRows } from './kinds/nested-rows.ts';
import { nothingRead } from './kinds/nothing-read.ts';
import { overlaps } from './kinds/overlaps.ts';
import { partialExports } from './kinds/partial-exports.ts';
import { sameNames } from './kinds/same-names.ts';

const kinds: readonly Kind<unknown>[] = [
  nothingRead,
  foreignFiles,
  nestedRows,
  partialExports,
  messageNames,
  sameNames,
  overlaps,
];
const names = sources.map(({ name }) => name);

describe('the lists of faults that a source can have', () => {
  it.each(kinds)('have every source: $name', (kind) => {
    expect(gapsOf(kind, names)).toEqual([]);
  });

  it('miss a source that has not decided', () => {
    expect(gapsOf(nestedRows, [...names, 'smoke-signals'])).toEqual(['smoke-signals is in no list']);
    expect(gapsOf({ ...nestedRows, without: { irc: 'no' } }, names)).toEqual(
      expect.arrayContaining(['whatsapp is in no list', 'irc gives no reason']),
    );
  });
});
