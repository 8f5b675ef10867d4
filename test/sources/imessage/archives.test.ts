import { describe, expect, it } from 'vitest';
import { readBinaryPlist } from '../../../src/sources/imessage/archive/binary-plist.ts';
import { readTypedStream } from '../../../src/sources/imessage/archive/typed-stream.ts';
import { type Gathered, writeMarkdown, readBody, textOf } from '../../../src/sources/imessage/body.ts';
import { binaryPlist, keyedArchive, typedStream } from './archives.ts';

/** The first bytes of a text as macOS writes it, byte by byte. */
const asOnMac =
  '040b73747265616d747970656481e803840140848484124e5341747472696275746564537472696e67008484084e534f626a656374008592848484084e53537472696e67019484012b0548656c6c6f86840269490105928484840c4e5344696374696f6e617279009484016901928496961d5f5f6b494d4d657373616765506172744174747269627574654e616d658692848484084e534e756d626572008484074e5356616c7565009484012a84999900868686';

const gathered = (): Gathered => ({ mentions: [], lost: {}, personOf: (address) => `person of ${address}` });

describe('readBody()', () => {
  it('reads the bytes that macOS writes', () => {
    expect(textOf(readBody(Buffer.from(asOnMac, 'hex')))).toBe('Hello');
  });

  it.each([[''], ['Hello'], ['🌊 ä\n'], ['x'.repeat(127)], ['x'.repeat(128)], ['x'.repeat(40_000)]])(
    'gives any text back (%#)',
    (text) => {
      expect(textOf(readBody(typedStream(text)))).toBe(text);
      expect(textOf(readBody(keyedArchive(text)))).toBe(text);
    },
  );

  it('throws a RangeError for a type that asks for values without end', () => {
    const type = Buffer.from('[9000[9000{=}]]');
    const head = Buffer.from('040b73747265616d747970656481e80384', 'hex');
    const padding = Buffer.alloc(20_000, 0x61);
    const stream = Buffer.concat([head, Buffer.from([0x01 + type.length - 1]), type, padding]);
    expect(() => readTypedStream(stream)).toThrow(RangeError);
  });

  it('throws a RangeError for every cut of an archive, and never anything else', () => {
    for (const whole of [
      typedStream('Hello', ['there', { __kIMTextBoldAttributeName: true }]),
      keyedArchive('Hello'),
    ]) {
      for (let length = 0; length < whole.length; length++)
        expect(() => readBody(whole.subarray(0, length)), String(length)).toThrow(RangeError);
    }
  });

  it('reads something or throws a RangeError, whatever a byte is', () => {
    const whole = typedStream('Hello', ['there', { __kIMLinkAttributeName: new URL('https://example.com') }]);
    for (let at = 0; at < whole.length; at++)
      for (const value of [0x00, 0x7f, 0x80, 0x81, 0x82, 0x83, 0x84, 0x85, 0x86, 0x92, 0xff]) {
        const bytes = Buffer.from(whole);
        bytes[at] = value;
        try {
          readBody(bytes);
        } catch (error) {
          expect(error).toBeInstanceOf(RangeError);
        }
      }
  });
});

describe('readTypedStream()', () => {
  it('refuses objects that are nested without end', () => {
    const deep = Buffer.concat([
      typedStream('').subarray(0, 16),
      Buffer.from('840140', 'hex'),
      Buffer.from('84848401580085'.concat('9284', '93').repeat(200), 'hex'),
    ]);
    expect(() => readTypedStream(deep)).toThrow(RangeError);
  });
});

describe('readBinaryPlist()', () => {
  it('gives the values back', () => {
    const value = readBinaryPlist(binaryPlist({ a: [1, 2.5, 'ä', Buffer.from('x')], b: { c: -7 } }));
    expect(value).toEqual(
      new Map<string, unknown>([
        ['a', [1, 2.5, 'ä', Buffer.from('x')]],
        ['b', new Map([['c', -7]])],
      ]),
    );
  });

  it('refuses a list that holds itself', () => {
    const bytes = binaryPlist([[]]);
    // The member of the list becomes the list.
    bytes.writeUInt16BE(0, 9);
    expect(() => readBinaryPlist(bytes)).toThrow('Too many values');
  });
});

describe('writeMarkdown()', () => {
  it.each([
    [
      'a link with words of its own',
      [['the plan', { __kIMLinkAttributeName: new URL('https://example.com/p') }]],
      '[the plan](https://example.com/p)',
    ],
    [
      'an address that is its own link',
      [['example.com', { __kIMLinkAttributeName: new URL('http://example.com/') }]],
      'example.com',
    ],
    ['files at the ends and between', ['\ufffcone\ufffctwo\ufffc'], 'one\ntwo'],
    ['a struck piece', ['no ', ['yes', { __kIMTextStrikethroughAttributeName: true }]], 'no ~~yes~~'],
  ] as const)('writes %s', (_, pieces, markdown) => {
    expect(writeMarkdown(readBody(typedStream(...pieces)), gathered())).toBe(markdown);
  });

  it('counts what Markdown has no mark for', () => {
    const found = gathered();
    const body = readBody(
      typedStream(
        ['under', { __kIMTextUnderlineAttributeName: true }],
        ['shaking', { __kIMTextEffectAttributeName: true }],
      ),
    );
    expect(writeMarkdown(body, found)).toBe('undershaking');
    expect(found.lost).toEqual({ underlines: 1, styles: 1 });
  });
});
