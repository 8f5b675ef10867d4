import { constants, createInflateRaw, type InflateRaw, inflateRawSync } from 'node:zlib';

/** What a stream of Node works with. Not part of its public face: looked at before it is used. */
interface Engine extends InflateRaw {
  readonly _handle?: {
    writeSync?(flush: number, from: Buffer, at: number, length: number, to: Buffer, toAt: number, room: number): void;
  };
  /** Room that was left, input that was left. */
  readonly _writeState?: Uint32Array;
}

/** One for a thread: it holds no more than the memory of a stream, some 50 KB. */
let engine: Engine | undefined;

/**
 * Inflates raw deflate data of a known size. `inflateRawSync` makes an engine each time, which takes a third of the time
 * where there are 300,000 small files (measured); Node has no public way to use one again that does not wait. `minizlib`,
 * which npm itself unpacks with, goes the same way. Whatever is not as expected, in Node or in the data, is
 * `inflateRawSync`'s business, as are its errors.
 */
export function inflateKnown(packed: Buffer, sizeBytes: number): Buffer {
  engine ??= newEngine();
  const { _handle: handle, _writeState: state } = engine;
  // One byte more than declared, so that a longer result shows without a second round, and never much more.
  const room = sizeBytes + 1;
  if (handle?.writeSync && state) {
    const content = Buffer.allocUnsafe(room);
    handle.writeSync(constants.Z_FINISH, packed, 0, packed.length, content, 0, room);
    if (!engine.destroyed && state[0] === 1) {
      engine.reset();
      return content.subarray(0, sizeBytes);
    }
    engine.destroy();
    engine = undefined;
  }
  return inflateRawSync(packed, { chunkSize: Math.max(64, room), maxOutputLength: room });
}

function newEngine(): Engine {
  const made = createInflateRaw();
  // A fault of the data ends the engine; who asks is told by `inflateRawSync`.
  made.on('error', () => {});
  return made;
}
