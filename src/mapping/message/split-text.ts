/** Characters of the end of a piece in which a better place for the cut is looked for: a fifth. */
const searchShare = 0.2;

/** How much a piece may have. */
export interface Room {
  /** UTF-16 units that no piece has more of. */
  readonly unitsMax: number;
  /** Whether a piece is small enough; so is then everything that it begins with. */
  fits(piece: string): boolean;
}

/**
 * Cuts a text into pieces that fit, at a line end or else a space near the end of each where there is one, never inside
 * a surrogate pair. Nothing is lost: the pieces in a row are the text, without the one white space of each cut.
 *
 * @returns Undefined where not even single characters fit.
 */
export function splitText(text: string, room: Room): string[] | undefined {
  const pieces: string[] = [];
  for (let rest = text; ; ) {
    const length = longestFit(rest, room);
    if (length === rest.length) return [...pieces, rest];
    if (length === 0) return undefined;
    const end = betterEnd(rest, length);
    pieces.push(rest.slice(0, end));
    rest = rest.slice(/\s/.test(rest[end] ?? '') ? end + 1 : end);
  }
}

/** UTF-16 units of the longest beginning that fits. */
export function longestFit(text: string, { unitsMax, fits }: Room): number {
  let [low, high] = [0, Math.min(text.length, unitsMax)];
  if (high === text.length && fits(text)) return high;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (fits(text.slice(0, middle))) low = middle;
    else high = middle - 1;
  }
  return isHighSurrogate(text, low - 1) ? low - 1 : low;
}

const isHighSurrogate = (text: string, at: number) => at >= 0 && (text.charCodeAt(at) & 0xfc00) === 0xd800;

function betterEnd(text: string, length: number): number {
  const earliest = Math.ceil(length * (1 - searchShare));
  for (const space of ['\n', ' ']) {
    const at = text.lastIndexOf(space, length);
    if (at >= earliest && at > 0) return at;
  }
  return length;
}
