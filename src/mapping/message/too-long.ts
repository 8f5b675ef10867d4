import { dataJson, type Draft, leastMetadata, type MessageContext } from './draft-message.ts';
import { partMuid } from '../ids.ts';

/** Room for the fields that a part's metadata has in addition to that of the whole: `parts`, or `part` and `head`. */
const partBytes = 100;
const ellipsis = '…';

/** Returns the message within the limits, cut or in several parts; undefined if there is no room for any text. */
export function shortened(draft: Draft, context: MessageContext): readonly Draft[] | undefined {
  const room = roomFor(draft, context);
  return context.rules.messages.overlong === 'truncate' ? truncated(draft, room) : split(draft, room);
}

/** Returns the room for text next to everything else in the message. Drops optional metadata if it takes half of the room. */
function roomFor(draft: Draft, { limits: { dataBytesMax }, rules: { messages } }: MessageContext): Room {
  const charsMax = messages.textCharsMax === 'none' ? Number.POSITIVE_INFINITY : messages.textCharsMax;
  if (dataBytesMax === undefined) return { unitsMax: charsMax, fits: () => true };
  const roomBeside = (metadata: Draft['metadata']) =>
    dataBytesMax - partBytes - Buffer.byteLength(dataJson({ ...draft, text: '' }, metadata));
  const beside = roomBeside(draft.metadata);
  const bytesMax = beside >= dataBytesMax / 2 ? beside : roomBeside(leastMetadata(draft.metadata));
  return {
    unitsMax: Math.max(0, Math.min(charsMax, bytesMax)),
    fits: (piece) => Buffer.byteLength(JSON.stringify(piece)) - 2 <= bytesMax,
  };
}

function truncated(draft: Draft, room: Room): Draft[] | undefined {
  const length = longestFit(draft.text, {
    unitsMax: room.unitsMax - ellipsis.length,
    fits: (piece) => room.fits(piece + ellipsis),
  });
  if (length <= 0) return undefined;
  return [
    {
      ...draft,
      text: draft.text.slice(0, length) + ellipsis,
      metadata: { ...draft.metadata, truncated: draft.text.length },
      done: { ...draft.done, truncated: 1 },
    },
  ];
}

/** The first part has everything but the rest of the text; the others have their text, and whose part they are. */
function split(draft: Draft, room: Room): Draft[] | undefined {
  const pieces = splitText(draft.text, room)?.filter((piece) => piece.trim() !== '');
  const [first, ...rest] = pieces ?? [];
  if (first === undefined) return undefined;
  const { key: head, thread } = draft.metadata;
  return [
    {
      ...draft,
      text: first,
      metadata: { ...draft.metadata, parts: rest.length + 1 },
      done: { ...draft.done, split: 1 },
    },
    ...rest.map((text, index): Draft => {
      const part = index + 2;
      return {
        ...draft,
        type: 'text',
        text,
        attachments: [],
        metadata: { v: 1, key: partMuid(head, part), ...(thread !== undefined && { thread }), part, head },
      };
    }),
  ];
}

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
 * Cuts a text into pieces that fit, at a line end or else a space near the end of each if there is one, never inside a
 * surrogate pair. Nothing is lost: the pieces in a row are the text, without the one white space of each cut.
 *
 * @returns Undefined if not even single characters fit.
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
