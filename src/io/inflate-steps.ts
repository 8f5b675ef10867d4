import type { Gunzip, InflateRaw } from 'node:zlib';

type Decoder = Gunzip | InflateRaw;

/**
 * Unpacks a stream chunk by chunk, and hands out everything that lies before a fault before it throws the fault.
 * (A pipeline of streams throws away what it has buffered.)
 *
 * Memory: what one packed chunk unpacks to, at most 1032 times its size. Bytes behind the end of raw DEFLATE data are ignored.
 *
 * @param decoder Fresh; it is destroyed when the loop ends, however it ends.
 */
export async function* inflateSteps(packed: AsyncIterable<Uint8Array>, decoder: Decoder): AsyncGenerator<Uint8Array> {
  const ready: Uint8Array[] = [];
  decoder.on('data', (chunk: Uint8Array) => ready.push(chunk));
  // The fault is read from `decoder.errored` once what was ready has been handed out.
  decoder.on('error', () => {});
  try {
    for await (const chunk of packed) {
      await step(decoder, (done) => decoder.write(chunk, done));
      yield* ready.splice(0);
      if (decoder.errored) throw decoder.errored;
      if (decoder.readableEnded) return;
    }
    await step(decoder, (done) => decoder.once('end', done).end());
    yield* ready.splice(0);
    if (decoder.errored) throw decoder.errored;
  } finally {
    decoder.destroy();
  }
}

/** Resolves when the step is done or the decoder has given up: one that failed never answers the step itself. */
function step(decoder: Decoder, start: (done: () => void) => void): Promise<void> {
  return new Promise((resolve) => {
    if (decoder.destroyed || decoder.readableEnded) return resolve();
    const done = () => {
      decoder.off('close', done);
      resolve();
    };
    decoder.once('close', done);
    start(done);
  });
}
