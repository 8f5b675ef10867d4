import { describe, expect, it } from 'vitest';
import { detectEncoding, isEncoding, utf8Chunks } from '../../src/io/text-encoding.ts';

const cyrillic = 'Привет всем, корабль приходит завтра вечером, проверьте билеты';

/** Single bytes, by turning the decoder's table round. */
function encode(text: string, label: string): Buffer {
  const table = new TextDecoder(label).decode(Uint8Array.from({ length: 256 }, (_, byte) => byte));
  return Buffer.from([...text].map((character) => table.indexOf(character)));
}

const wide = (text: string, isBigEndian: boolean) => {
  const bytes = Buffer.from(text, 'utf16le');
  return isBigEndian ? bytes.swap16() : bytes;
};

async function decode(bytes: Buffer, encoding: string, pieceSize = 3): Promise<Buffer> {
  async function* pieces() {
    for (let at = 0; at < bytes.length; at += pieceSize) yield bytes.subarray(at, at + pieceSize);
  }
  return Buffer.concat(await Array.fromAsync(utf8Chunks(pieces(), encoding)));
}

describe('detectEncoding()', () => {
  it.each([
    ['ASCII', Buffer.from('id,text\n1,a'), 'utf-8'],
    ['UTF-8', Buffer.from('id,text\n1,Größe'), 'utf-8'],
    ['UTF-8 that is cut inside a character', Buffer.from('id,text\n1,ä').subarray(0, -1), 'utf-8'],
    ['UTF-8 with a mark', Buffer.from('\ufeffid'), 'utf-8'],
    ['UTF-8 with a damaged byte', Buffer.concat([Buffer.from('äöüäöüäöüäöü'), Buffer.from([0xff])]), 'utf-8'],
    ['UTF-16 with a mark', wide('\ufeffid,text', false), 'utf-16le'],
    ['UTF-16 without a mark', wide('id,text\n1,a', false), 'utf-16le'],
    ['UTF-16 of other languages', wide('имя;текст;1;2\n', true), 'utf-16be'],
    ['Western letters', encode('id;Größe;Café', 'windows-1252'), 'windows-1252'],
    ['Cyrillic letters of Windows', encode(cyrillic, 'windows-1251'), 'windows-1251'],
    ['Cyrillic letters of Unix', encode(cyrillic, 'koi8-r'), 'koi8-r'],
    ['nothing', Buffer.alloc(0), 'utf-8'],
  ])('knows %s', (_, bytes, encoding) => {
    expect(detectEncoding(bytes).encoding).toBe(encoding);
  });

  it('reports whether it guesses', () => {
    expect(detectEncoding(Buffer.from('é')).isGuess).toBe(false);
    expect(detectEncoding(encode('España', 'windows-1252')).isGuess).toBe(true);
    // The same letters in windows-1250: nothing to guess.
    expect(detectEncoding(encode('Grüße', 'windows-1252')).isGuess).toBe(false);
  });
});

describe('utf8Chunks()', () => {
  it.each(['utf-8', 'windows-1252', 'utf-16le', 'utf-16be'])('turns %s into UTF-8', async (label) => {
    const text = 'id,Größe\n1,naïve café';
    const bytes = label.startsWith('utf-16')
      ? wide(text, label === 'utf-16be')
      : label === 'utf-8'
        ? Buffer.from(text)
        : encode(text, label);
    expect((await decode(bytes, label)).toString()).toBe(text);
  });

  it('takes the byte order mark away', async () => {
    expect((await decode(Buffer.from('\ufeffid'), 'utf-8')).toString()).toBe('id');
    expect((await decode(wide('\ufeffid', false), 'utf-16le')).toString()).toBe('id');
  });

  it('leaves a byte that is no UTF-8 for half a surrogate pair', async () => {
    expect([...(await decode(wide('a\ud800b', false), 'utf-16le'))]).toContain(0xff);
  });
});

describe('isEncoding()', () => {
  it('knows the labels of the Encoding Standard', () => {
    expect(isEncoding('latin1')).toBe(true);
    expect(isEncoding('klingon')).toBe(false);
  });
});
