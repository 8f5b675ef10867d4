import type { Gunzip, InflateRaw } from 'node:zlib';
import { errorCode } from '../input/file-errors.ts';

type Decoder = Gunzip | InflateRaw;

/** Packed data that can be read from the start as often as needed, and what unpacks it. */
export interface PackedSource {
  readonly chunks: () => AsyncIterable<Uint8Array>;
  readonly decoder: () => Decoder;
}

/**
 * Unpacks a stream, and yields everything before a fault before it throws the fault.
 *
 * Two things get in the way. A pipeline of streams discards its buffer, so the decoder is fed step by step. And zlib
 * does not hand out what it has unpacked in the step that meets the fault. So after a fault that step is done again,
 * from the beginning of the file, with one byte at a time: then only what that byte adds is lost.
 *
 * Memory: the unpacked size of one packed chunk, at most 1032 times its size. Bytes after the end of raw DEFLATE data
 * are ignored.
 */
export async function* inflateSteps(source: PackedSource): AsyncGenerator<Uint8Array> {
  const done = { chunkCount: 0, byteCount: 0 };
  try {
    for await (const ready of steps(source.chunks(), source.decoder(), done)) {
      done.byteCount += ready.length;
      yield ready;
    }
  } catch (error) {
    const code = errorCode(error);
    // If the data just end, nothing was kept back.
    if (!code?.startsWith('Z_') || code === 'Z_BUF_ERROR') throw error;
    const again = steps(slowlyAfter(done.chunkCount, source.chunks()), source.decoder());
    yield* skip(done.byteCount, again);
    throw error;
  }
}

/** @param done Counts the packed chunks that were unpacked without a fault. */
async function* steps(
  packed: AsyncIterable<Uint8Array>,
  decoder: Decoder,
  done = { chunkCount: 0 },
): AsyncGenerator<Uint8Array> {
  const ready: Uint8Array[] = [];
  decoder.on('data', (chunk: Uint8Array) => ready.push(chunk));
  // The fault is read from `decoder.errored` once what was ready has been handed out.
  decoder.on('error', () => {});
  try {
    for await (const chunk of packed) {
      await stepDone(decoder, (isDone) => decoder.write(chunk, isDone));
      yield* ready.splice(0);
      if (decoder.errored) throw decoder.errored;
      if (decoder.readableEnded) return;
      done.chunkCount += 1;
    }
    await stepDone(decoder, (isDone) => decoder.once('end', isDone).end());
    yield* ready.splice(0);
    if (decoder.errored) throw decoder.errored;
  } finally {
    decoder.destroy();
  }
}

/** Resolves when the step is done or the decoder has given up: one that failed never answers the step itself. */
const stepDone = (decoder: Decoder, start: (isDone: () => void) => void): Promise<void> =>
  new Promise((resolve) => {
    if (decoder.destroyed || decoder.readableEnded) return resolve();
    const isDone = () => {
      decoder.off('close', isDone);
      resolve();
    };
    decoder.once('close', isDone);
    start(isDone);
  });

/** The first chunks as they are, everything behind them byte by byte. */
async function* slowlyAfter(chunkCount: number, chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let count = 0;
  for await (const chunk of chunks) {
    if (count < chunkCount) yield chunk;
    else for (let at = 0; at < chunk.length; at += 1) yield chunk.subarray(at, at + 1);
    count += 1;
  }
}

async function* skip(byteCount: number, chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let left = byteCount;
  for await (const chunk of chunks) {
    if (chunk.length > left) yield chunk.subarray(left);
    left = Math.max(0, left - chunk.length);
  }
}
