import { isUtf8 } from 'node:buffer';
import { SourceError } from '../../../lib/errors.ts';

/** Makes text of bytes. */
export interface TextDecoding {
  /**
   * @returns undefined if the bytes are no text in this encoding.
   */
  decode(bytes: Buffer, start: number, end: number): string | undefined;
}

const utf8: TextDecoding = {
  decode(bytes, start, end) {
    const text = bytes.toString('utf8', start, end);
    // The text itself may contain this character.
    return text.includes('\ufffd') && !isUtf8(bytes.subarray(start, end)) ? undefined : text;
  },
};

const latin1: TextDecoding = { decode: (bytes, start, end) => bytes.toString('latin1', start, end) };

/** Names of the two servers, without signs and in lower case, for encodings with a byte a character. */
const singleByte: Readonly<Record<string, string>> = {
  latin2: 'iso-8859-2',
  latin3: 'iso-8859-3',
  latin4: 'iso-8859-4',
  latin9: 'iso-8859-15',
  iso88595: 'iso-8859-5',
  iso88597: 'iso-8859-7',
  greek: 'iso-8859-7',
  hebrew: 'iso-8859-8',
  latin7: 'iso-8859-13',
  koi8: 'koi8-r',
  koi8r: 'koi8-r',
  koi8u: 'koi8-u',
  cp1250: 'windows-1250',
  cp1251: 'windows-1251',
  cp1256: 'windows-1256',
  cp1257: 'windows-1257',
  win: 'windows-1251',
  win1250: 'windows-1250',
  win1251: 'windows-1251',
  win1252: 'windows-1252',
  win1253: 'windows-1253',
  win1254: 'windows-1254',
  win1257: 'windows-1257',
};

const utf8Names: ReadonlySet<string> = new Set([
  'utf8',
  'utf8mb3',
  'utf8mb4',
  'unicode',
  'sqlascii',
  'ascii',
  'binary',
]);

/**
 * @param charset As a dump names it.
 * @param isMysql What MySQL calls latin1 is windows-1252.
 * @throws SourceError where it cannot be read.
 */
export function chooseDecoding(charset: string, isMysql: boolean, path: string): TextDecoding {
  const name = charset.toLowerCase().replace(/[^a-z0-9]/g, '');
  if (utf8Names.has(name)) return utf8;
  if (name === 'latin1' || name === 'iso88591') return isMysql ? ofLabel('windows-1252') : latin1;
  const label = singleByte[name];
  if (label !== undefined) return ofLabel(label);
  const hint = isMysql ? 'mysqldump --default-character-set=utf8mb4' : 'pg_dump --encoding=UTF8';
  throw new SourceError(`Cannot read the dump: its text is in the encoding "${charset}"`, {
    location: { path },
    hint: `Dump it again with "${hint}"`,
  });
}

function ofLabel(label: string): TextDecoding {
  const decoder = new TextDecoder(label, { ignoreBOM: true });
  return { decode: (bytes, start, end) => decoder.decode(bytes.subarray(start, end)) };
}
