/** The next so many bytes; all of them are taken before the next ones are asked for. Ends early where there are no more. */
export type Cut = (sizeBytes: number) => AsyncGenerator<Uint8Array, void>;

/** One stream, handed out in pieces of given sizes. Who breaks off in a piece does not end the stream: its owner does. */
export function cutBytes(bytes: AsyncGenerator<Uint8Array, void>): Cut {
  let rest: Uint8Array = new Uint8Array(0);
  return async function* (sizeBytes) {
    for (let wanted = sizeBytes; wanted > 0; ) {
      if (rest.length === 0) {
        const next = await bytes.next();
        if (next.done) return;
        rest = next.value;
      }
      const piece = rest.subarray(0, wanted);
      rest = rest.subarray(piece.length);
      wanted -= piece.length;
      yield piece;
    }
  };
}
