import { hash } from 'node:crypto';

/**
 * One of several parts of an export: a set of whole conversations, so that order, threads and repeated messages stay inside of it.
 * All parts together are the export. In one part are also all rejects and problems that belong to no conversation: the first.
 */
export interface Part {
  /** From 0. */
  readonly index: number;
  readonly of: number;
  /**
   * Parts of conversations that were placed by hand, by id at the source: of the large ones, so that parts are about the same size.
   * All others go by the hash of their id. Whoever plans the parts gives the same to each.
   */
  readonly placed?: Readonly<Record<string, number>> | undefined;
}

/** So many parts at most. */
export const partsMax = 10_000;

/** `2/8`: the second of eight. @throws RangeError */
export function parsePart(text: string): Part {
  const [, number, of] = /^([1-9]\d{0,5})\/([1-9]\d{0,5})$/.exec(text) ?? [];
  const part = { index: Number(number) - 1, of: Number(of) };
  if (number === undefined || part.index >= part.of || part.of > partsMax)
    throw new RangeError(`expected a part and how many there are, such as 2/8, found "${text}"`);
  return part;
}

export const formatPart = ({ index, of }: Pick<Part, 'index' | 'of'>): string => `part ${index + 1} of ${of}`;

/** The label of an export of which a store holds a part. */
export const labelOfPart = (label: string, part: Pick<Part, 'index' | 'of'>): string =>
  `${label} (${formatPart(part)})`;

/** The label of the export itself. */
export const labelOfWhole = (label: string): string => label.replace(/ \(part \d+ of \d+\)$/, '');

/**
 * The part of a conversation that no other is merged into, from 0. It stays as it is for ever: stores and files were made by it.
 *
 * @param id At the source.
 */
export function placeOf(id: string, { of, placed }: Omit<Part, 'index'>): number {
  const part = placed && Object.hasOwn(placed, id) ? placed[id] : undefined;
  return part ?? hash('sha256', id, 'buffer').readUIntBE(0, 6) % of;
}

/** Whoever conversations are dealt out to by part. Conversations that are merged go where the first of them goes. */
export class Parts {
  readonly #part: Omit<Part, 'index'>;
  readonly #mergedInto: ReadonlyMap<string, string>;
  /** Rows of one conversation often stand together. */
  #latest: readonly [id: string, part: number] | undefined;

  /** @param merges Lists of conversations: the others of each become part of the first. */
  constructor(part: Omit<Part, 'index'>, merges: readonly (readonly string[])[]) {
    this.#part = part;
    this.#mergedInto = new Map(
      merges.flatMap(([first, ...others]) => others.map((other): [string, string] => [other, first!])),
    );
  }

  /** The part of a conversation, from 0. */
  of(conversation: string): number {
    if (this.#latest?.[0] !== conversation)
      this.#latest = [conversation, placeOf(this.#mergedInto.get(conversation) ?? conversation, this.#part)];
    return this.#latest[1];
  }
}
