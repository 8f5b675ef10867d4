import { createReadStream } from 'node:fs';
import { SourceError } from '../../lib/errors.ts';
import { allBytes } from '../bytes.ts';
import type { ExportInput } from './export-input.ts';

/**
 * A file that an export holds as base64 inside another file, such as the pictures in a backup of text messages. Its path names where it is:
 *
 *     sms.xml!base64/4711+1024/photo.jpg     1,024 characters, from the byte 4,711 on
 */
interface EmbeddedPart {
  /** Path of the file around it. */
  readonly outer: string;
  /** First byte of the base64, and how many there are. */
  readonly start: number;
  readonly length: number;
}

export const embeddedPath = ({ outer, start, length }: EmbeddedPart, name: string): string =>
  `${outer}!base64/${start}+${length}/${name.replaceAll('/', '_')}`;

function partAt(path: string): EmbeddedPart | undefined {
  const [, outer, start, length] = /^(.+)!base64\/(\d{1,15})\+(\d{1,15})\/[^/]*$/s.exec(path) ?? [];
  return outer === undefined ? undefined : { outer, start: Number(start), length: Number(length) };
}

/** The same export with the file at this path in it, if the path is that of an embedded one. */
export function withEmbeddedPart(input: ExportInput, path: string): ExportInput {
  const part = partAt(path);
  if (!part) return input;
  const open = () => decoded(input, part, path);
  return {
    ...input,
    paths: async () => ((await input.paths()).includes(part.outer) ? [path] : []),
    async stat() {
      const { fingerprint } = await input.stat(part.outer);
      return { sizeBytes: Math.floor((part.length * 3) / 4), fingerprint: `${fingerprint}@${part.start}` };
    },
    async read(_, bytesMax) {
      const bytes = await allBytes(open(), bytesMax);
      if (bytes !== undefined) return bytes;
      throw new SourceError('Cannot read the file: it is too large', { location: { path } });
    },
    open,
  };
}

/**
 * Yields the bytes of a part. It is checked that what is read is base64 between quotes: the file around it may have changed.
 *
 * @throws SourceError if it is not.
 */
async function* decoded(
  input: ExportInput,
  { outer, start, length }: EmbeddedPart,
  path: string,
): AsyncGenerator<Uint8Array> {
  const broken = () =>
    new SourceError('Cannot read the file: expected base64 at its place in the export', { location: { path } });
  const local = await input.materialise(outer);
  if (start < 1) throw broken();
  let held = '';
  let at = 0;
  let quote = '';
  // With the quotes around it.
  for await (const chunk of createReadStream(local, { start: start - 1, end: start + length })) {
    let text = (chunk as Buffer).toString('latin1');
    if (at === 0) quote = text[0]!;
    at += text.length;
    if (at === length + 2 && text.endsWith(quote)) text = text.slice(0, -1);
    else if (at === length + 2) throw broken();
    if (held === '' && text.startsWith(quote)) text = text.slice(1);
    if (!/^["']$/.test(quote) || !/^[A-Za-z0-9+/=\s]*$/.test(text)) throw broken();
    held += text.replace(/\s/g, '');
    const whole = held.length - (held.length % 4);
    yield Buffer.from(held.slice(0, whole), 'base64');
    held = held.slice(whole);
  }
  if (at !== length + 2) throw broken();
  if (held !== '') yield Buffer.from(held, 'base64');
}
