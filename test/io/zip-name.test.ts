import { crc32 } from 'node:zlib';
import { describe, expect, it, onTestFinished } from 'vitest';
import { defaultCaps } from '../../src/io/input/caps.ts';
import { openZip } from '../../src/io/zip/zip-input.ts';
import { makeZip, numbers, type ZipPart } from './make-zip.ts';
import { temporaryFile } from './temporary-files.ts';

async function nameOf(part: ZipPart): Promise<string | undefined> {
  const input = openZip(temporaryFile('export.zip', makeZip([{ content: 'x', ...part }])), defaultCaps);
  onTestFinished(() => input.close());
  return (await input.paths())[0];
}

/** Info-ZIP's Unicode path field for the name `plain`. */
function unicodePath(plain: string, unicode: string, version = 1): Buffer {
  const bytes = Buffer.from(unicode);
  return Buffer.concat([numbers([2, 0x7075, 2, 5 + bytes.length, 1, version, 4, crc32(Buffer.from(plain))]), bytes]);
}

describe('decodeName()', () => {
  it.each<readonly [what: string, part: ZipPart, name: string]>([
    ['ASCII', { name: 'general/2024-03-01.json' }, 'general/2024-03-01.json'],
    ['UTF-8 that is marked', { name: 'allgemein/Grüße 東京.json', flags: 0x800 }, 'allgemein/Grüße 東京.json'],
    ['UTF-8 that is not marked, as macOS writes it', { name: 'Grüße 東京.json' }, 'Grüße 東京.json'],
    ['code page 437', { name: Buffer.from([0x47, 0x72, 0x81, 0xe1, 0x65]) }, 'Grüße'],
    ['decomposed letters, which stay as they are', { name: 'u\u0308.json' }, 'u\u0308.json'],
    ['marked UTF-8 that is not valid', { name: Buffer.from([0x61, 0xff, 0x62]), flags: 0x800 }, 'a\ufffdb'],
    ['a Unicode path field', { name: 'Gr__e', extra: unicodePath('Gr__e', 'Grüße') }, 'Grüße'],
    ['a Unicode path field of another name', { name: 'new', extra: unicodePath('old', 'Grüße') }, 'new'],
    ['a Unicode path field of another version', { name: 'a', extra: unicodePath('a', 'b', 2) }, 'a'],
    ['an extra field that is too long', { name: 'a', extra: numbers([2, 0x7075, 2, 500, 1, 1]) }, 'a'],
    ['backslashes from Windows', { name: 'general\\2024-03-01.json', host: 0 }, 'general/2024-03-01.json'],
    ['backslashes from a library that says Unix', { name: 'general\\2024-03-01.json' }, 'general/2024-03-01.json'],
    ['segments that say nothing', { name: './general//./a.json' }, 'general/a.json'],
    ['dots that say something', { name: '...a./.b/c..json' }, '...a./.b/c..json'],
    ['a date with a colon behind two letters', { name: 'ab:cd.json' }, 'ab:cd.json'],
  ])('reads %s', async (_what, part, name) => {
    expect(await nameOf(part)).toBe(name);
  });
});
