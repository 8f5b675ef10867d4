import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readTrust, trustFile } from '../../src/config/trusted-files.ts';
import { temporaryFolder } from '../scenes/temporary-folder.ts';

const home = temporaryFolder();

describe('trustFile()', () => {
  it('is called before a text is written: until then the one that was trusted counts as well', () => {
    const path = join(home.make(), 'chatferry.yaml');
    const trust = (...texts: readonly string[]) => texts.map((text) => readTrust(path, text));
    writeFileSync(path, 'one');
    trustFile(path, 'two');
    expect(trust('one', 'two')).toEqual(['changed', 'trusted']);
    writeFileSync(path, 'two');
    trustFile(path, 'three');
    expect(trust('one', 'two', 'three')).toEqual(['changed', 'trusted', 'trusted']);
    writeFileSync(path, 'three');
    trustFile(path, 'three');
    expect(trust('two', 'three')).toEqual(['changed', 'trusted']);
  });
});
