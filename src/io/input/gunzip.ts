import { zlib } from '../../lib/late.ts';
import { SourceError } from '../../lib/errors.ts';
import { inflateSteps } from '../zip/inflate-steps.ts';
import { errorCode } from './file-errors.ts';

export interface PackedFile {
  /** Inside the input, for messages and locations. */
  readonly path: string;
  /** Its bytes, from the beginning as often as they are asked for. */
  readonly chunks: () => AsyncIterable<Uint8Array>;
  /** How many bytes it may unpack to. */
  readonly bytesMax: number;
}

/**
 * Yields the unpacked content of a gzip file. Several consecutive members are one file. The readable part of a cut-off
 * or damaged file is yielded before the SourceError.
 */
export async function* gunzipped({ path, chunks, bytesMax }: PackedFile): AsyncGenerator<Uint8Array> {
  let count = 0;
  try {
    for await (const chunk of inflateSteps({ chunks, decoder: () => zlib().createGunzip({ chunkSize: 64 * 1024 }) })) {
      count += chunk.length;
      if (count > bytesMax) throw tooMuch(path, bytesMax);
      yield chunk;
    }
  } catch (error) {
    throw damaged(error, path) ?? error;
  }
}

/** Translates a zlib error about broken data; undefined if the error is something else. */
function damaged(error: unknown, path: string): SourceError | undefined {
  const code = errorCode(error);
  if (code === undefined || !code.startsWith('Z_')) return undefined;
  const what = code === 'Z_BUF_ERROR' ? 'it is cut off' : 'it is damaged';
  return new SourceError(`Cannot unpack the whole gzip file: ${what}`, {
    hint: 'Copy or download it again; what could be unpacked was read',
    location: { path },
    cause: error,
  });
}

const tooMuch = (path: string, allowed: number): SourceError =>
  new SourceError(`Cannot unpack the whole gzip file: it has more than ${allowed} bytes`, {
    hint: 'If this is a real export, unpack it yourself and pass the file',
    location: { path },
  });
