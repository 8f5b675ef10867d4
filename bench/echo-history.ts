/** Which messages are listed: those of a conversation or of all, from behind an id, in a window of time. */
interface Listing {
  readonly conversationId: string | undefined;
  /** 0: from the first. */
  readonly afterId: number;
  /** Unix seconds, both included. */
  readonly fromSeconds: number;
  readonly toSeconds: number;
  readonly limit: number;
}

const blockBytes = 1024 * 1024;

/**
 * The messages that the echo server has: their JSON side by side in blocks outside the heap, and about 60 bytes for each. Ids begin
 * with 1 and ascend in the order of arrival.
 */
export class EchoHistory {
  readonly #blocks: Buffer[] = [];
  #used = blockBytes;
  /** By id - 1: block, first byte, length, Unix seconds. */
  readonly #places: number[] = [];
  readonly #byConversation = new Map<string, number[]>();

  get nextId(): number {
    return this.#places.length / 4 + 1;
  }

  has(conversationId: string): boolean {
    return this.#byConversation.has(conversationId);
  }

  add(conversationId: string, sentAtSeconds: number, json: string): void {
    const ids = this.#byConversation.get(conversationId) ?? [];
    if (ids.length === 0) this.#byConversation.set(conversationId, ids);
    ids.push(this.nextId);
    const bytes = Buffer.byteLength(json);
    if (this.#used + bytes > blockBytes) this.#addBlock(bytes);
    this.#blocks.at(-1)!.write(json, this.#used);
    this.#places.push(this.#blocks.length - 1, this.#used, bytes, sentAtSeconds);
    this.#used += bytes;
  }

  /** JSON of each, by id. */
  list({ conversationId, afterId, fromSeconds, toSeconds, limit }: Listing): string[] {
    const ids = conversationId === undefined ? undefined : (this.#byConversation.get(conversationId) ?? []);
    const found: string[] = [];
    const end = ids?.length ?? this.nextId - 1;
    for (let index = ids ? firstAbove(ids, afterId) : afterId; index < end && found.length < limit; index++) {
      const [block, start, bytes, seconds] = this.#place(ids?.[index] ?? index + 1);
      if (seconds >= fromSeconds && seconds <= toSeconds)
        found.push(this.#blocks[block]!.toString('utf8', start, start + bytes));
    }
    return found;
  }

  #place(id: number): Place {
    return this.#places.slice((id - 1) * 4, id * 4) as Place;
  }

  #addBlock(bytes: number): void {
    this.#blocks.push(Buffer.allocUnsafe(Math.max(blockBytes, bytes)));
    this.#used = 0;
  }
}

type Place = [block: number, start: number, bytes: number, seconds: number];

/** The index of the first id that is greater: the ids ascend. */
function firstAbove(ids: readonly number[], id: number): number {
  let low = 0;
  let high = ids.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (ids[middle]! <= id) low = middle + 1;
    else high = middle;
  }
  return low;
}
