import { isUtf8 } from 'node:buffer';
import { gzipSync } from 'node:zlib';

/** Bytes in place of a file of messages. */
export interface FileDamage {
  readonly name: string;
  make(bytes: Uint8Array): Uint8Array;
}

const wide = (text: string, { mark = '', swapped = false } = {}): Buffer => {
  const bytes = Buffer.from(mark + text, 'utf16le');
  return swapped ? bytes.swap16() : bytes;
};

const textOf = (bytes: Uint8Array): string =>
  Buffer.from(bytes)
    .toString('utf8')
    .replace(/^\ufeff/, '');

/** The same text, stored otherwise. The first two are tried everywhere; the others are no different to a source, once test/io has proved them. */
export const otherForms: readonly FileDamage[] = [
  { name: 'UTF-16 with a mark', make: (bytes) => wide(textOf(bytes), { mark: '\ufeff' }) },
  { name: 'gzip', make: (bytes) => gzipSync(bytes) },
  { name: 'UTF-16', make: (bytes) => wide(textOf(bytes)) },
  { name: 'UTF-16 of the other order', make: (bytes) => wide(textOf(bytes), { swapped: true }) },
  {
    name: 'UTF-16 of the other order with a mark',
    make: (bytes) => wide(textOf(bytes), { mark: '\ufeff', swapped: true }),
  },
];

/**
 * Whether a file can be stored otherwise and stay what it is: a file is packed once, lines in a mixture of encodings have no text, and UTF-16 without a mark is
 * known by the letters of Latin at its beginning.
 */
export function hasOtherForm(bytes: Uint8Array, { name }: FileDamage): boolean {
  if (name === 'gzip') return bytes[0] !== 0x1f;
  const isMarked = name.endsWith('a mark');
  return isUtf8(bytes) && (isMarked || /^[\x00-\x7f]*$/.test(textOf(bytes).slice(0, latinLength)));
}

/** Letters by which UTF-16 is known. */
const latinLength = 32;

const signIn =
  '<!DOCTYPE html>\n<html lang="en"><head><title>Sign in</title></head>\n<body><form action="/login"><input name="user"></form></body></html>\n';

const emptyFile: FileDamage = { name: 'an empty file', make: () => new Uint8Array() };

/** Damages that replace the content of a lost file. */
export const lostFiles: readonly FileDamage[] = [
  { name: 'zeros', make: (bytes) => new Uint8Array(bytes.length) },
  { name: 'a page that asks to sign in', make: () => Buffer.from(signIn) },
  emptyFile,
];

const readings = '{"readings":[{"level":3,"unit":"m"},{"level":4,"unit":"m"}]}\n';
const prose = 'The harbour was built in two parts.\nThe older one is closed.\n';
const page = '<!DOCTYPE html>\n<html><head><title>Tides</title></head><body><p>Low water at six</p></body></html>\n';

/** A file of the same kind that is well formed and has no message of any source. */
export function somethingElseFor(path: string): Uint8Array {
  if (/\.csv$/i.test(path)) return Buffer.from('level,unit\n3,m\n4,m\n');
  if (/\.html?$/i.test(path)) return Buffer.from(page);
  return Buffer.from(/\.(?:txt|md|log|weechatlog)$/i.test(path) ? prose : readings);
}

/**
 * Files that are empty if they have no content, by source: any file that any program writes; collections without
 * documents; rooms in which no event may be seen; chats without messages.
 */
const mayBeEmpty: Readonly<Record<string, RegExp>> = {
  json: /(?:^|\/)messages\.json$/,
  chatferry: /\.(?:ndjson|jsonl)$/,
  rocketchat: /(?:^|\/)rocketchat_[a-z]+\.json$/,
  matrix: /(?:^|\/)rooms\/[^/]+\/events$/,
  signal: /(?:^|\/)(?:chat\.md|index\.md|data\.json)$/,
};

/** Whether a file may say nothing, and be all there. */
export const isWellWithout = (source: string, path: string, damage: FileDamage): boolean =>
  damage === emptyFile && mayBeEmpty[source]?.test(path) === true;
