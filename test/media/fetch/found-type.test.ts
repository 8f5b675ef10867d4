import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isActiveType, servedType } from '../../../src/media/fetch/active-types.ts';
import { foundType } from '../../../src/media/fetch/found-type.ts';

const nothing = { header: '', exported: '', name: '' };
const hex = (text: string) => Buffer.from(text.replaceAll(' ', ''), 'hex');
const ascii = (text: string) => Buffer.from(text, 'latin1');

describe('foundType()', () => {
  it.each([
    ['image/png', hex('89504e470d0a1a0a 0000')],
    ['image/jpeg', hex('ffd8ffe0 0010')],
    ['image/gif', ascii('GIF89a..')],
    ['image/gif', ascii('GIF87a..')],
    ['image/webp', ascii('RIFF\x01\x02\x03\x04WEBPVP8 ')],
    ['audio/wav', ascii('RIFF\x01\x02\x03\x04WAVEfmt ')],
    ['image/heic', ascii('\0\0\0\x18ftypheic')],
    ['image/avif', ascii('\0\0\0\x18ftypavif')],
    ['video/mp4', ascii('\0\0\0\x18ftypisom')],
    ['video/quicktime', ascii('\0\0\0\x14ftypqt  ')],
    ['audio/mp4', ascii('\0\0\0\x18ftypM4A ')],
    ['audio/ogg', ascii('OggS\0..')],
    ['audio/mpeg', ascii('ID3\x03..')],
    ['application/pdf', ascii('%PDF-1.7')],
    ['application/zip', ascii('PK\x03\x04..')],
    ['text/plain', ascii('just words')],
    ['application/octet-stream', hex('00010203')],
    ['text/html', ascii('\n <!DOCTYPE HTML><p>')],
    ['text/html', ascii('<!-- a --><script>alert(1)</script>')],
    ['text/html', Buffer.from('\ufeff<html>')],
    ['text/html', Buffer.from('\ufeff<html>', 'utf16le')],
    ['image/svg+xml', ascii('<svg xmlns="http://www.w3.org/2000/svg">')],
    ['image/svg+xml', ascii('<?xml version="1.0"?>\n<!-- a -->\n<svg>')],
    ['text/xml', ascii('<?xml version="1.0"?><?xml-stylesheet href="a.xsl"?><a/>')],
    ['application/xhtml+xml', ascii('<?xml version="1.0"?><html>')],
  ])('knows %s by its first bytes, whatever it is called', (type, head) => {
    expect(foundType(head, nothing)).toBe(type);
    const isText = type.startsWith('text/plain') || type === 'application/octet-stream';
    if (!isText) expect(foundType(head, { header: 'image/bmp', exported: 'text/plain', name: 'a.csv' })).toBe(type);
  });

  it.each([
    [
      'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
      ascii('PK\x03\x04'),
      { name: 'a.docx' },
    ],
    ['application/msword', hex('d0cf11e0a1b11ae1'), { exported: 'application/msword' }],
    ['audio/mp4', ascii('\0\0\0\x18ftypisom'), { exported: 'audio/mp4' }],
    ['audio/webm', hex('1a45dfa3'), { header: 'audio/webm; codecs=opus' }],
    ['application/zip', ascii('PK\x03\x04'), { exported: 'image/png' }],
    ['text/csv', ascii('a,b'), { name: 'a.csv' }],
    ['text/csv', ascii('a,b'), { header: 'application/octet-stream', exported: 'text/csv' }],
    ['application/json', ascii('{}'), { header: 'application/json; charset=utf-8' }],
    ['text/plain', ascii('no picture'), { header: 'image/png', exported: 'image/png', name: 'a.png' }],
    ['application/octet-stream', hex('000102'), { exported: 'image/png' }],
    ['text/javascript', ascii('alert(1)'), { exported: 'text/plain', name: 'a.js' }],
    ['text/html', ascii('words'), { exported: 'text/plain', header: 'text/html' }],
    ['application/x-own', hex('000102'), { exported: 'Application/X-Own; a=b' }],
    ['application/octet-stream', hex('000102'), { exported: 'image/png\r\nx-a: b', header: 'nonsense' }],
    ['image/png', Buffer.alloc(0), { exported: 'image/png' }],
    ['', Buffer.alloc(0), {}],
  ])('is %s where bytes leave it to what others say', (type, head, claims) => {
    expect(foundType(head, { ...nothing, ...claims })).toBe(type);
  });

  it('is a type or nothing, for any bytes and any claims', () => {
    const text = fc.oneof(
      fc.string(),
      fc.constantFrom('text/html', 'image/png', 'a.svg', 'a.__proto__', 'constructor'),
    );
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 2000 }), text, text, text, (head, header, exported, name) => {
        expect(foundType(head, { header, exported, name })).toMatch(/^$|^[a-z0-9][!-~]*\/[a-z0-9][!-~]*$/);
      }),
    );
  });
});

describe('servedType()', () => {
  it.each([
    'text/html',
    'Text/HTML; charset=utf-8',
    'application/xhtml+xml',
    'image/svg+xml',
    'text/xml',
    'application/xml',
    'application/rss+xml',
    'text/xsl',
    'text/javascript',
    'application/javascript',
    'application/x-javascript',
    'text/ecmascript',
    'text/javascript1.5',
    'text/vbscript',
    'multipart/related',
    'message/rfc822',
    'application/x-shockwave-flash',
  ])('shows no browser that it is %s', (type) => {
    expect(isActiveType(type)).toBe(true);
    expect(servedType(type)).toBe('application/octet-stream');
  });

  it.each(['image/png', 'application/pdf', 'text/plain', 'video/mp4', 'application/json', 'application/vnd.ms-excel'])(
    'leaves %s',
    (type) => {
      expect(isActiveType(type)).toBe(false);
      expect(servedType(`${type}; charset=x`)).toBe(type);
    },
  );

  it.each(['', 'nonsense', 'text/html\r\nx-a: b', 'a/b/c', '*/*', 'text/'])(
    'makes %j one that says nothing',
    (type) => {
      expect(servedType(type)).toBe('application/octet-stream');
    },
  );
});
