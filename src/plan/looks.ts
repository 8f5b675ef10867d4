import { DifferingValues } from '../lib/maps/differing-values.ts';
import { looksEncrypted } from '../lib/text/cipher.ts';
import type { ReadingResult } from '../model/reading-result.ts';
import type { ChatRecord, MessageRecord, UserRecord } from '../model/records.ts';
import { authorId } from '../mapping/ids.ts';

/** Counts that can only be taken while rows pass. Counts are rows: another version of a message counts again. */
export interface Seen {
  readonly rows: number;
  readonly texts: number;
  readonly cipher: number;
  /** Neighbours with different times and numeric ids, and those of which the later one has the lesser id. */
  readonly ordered: number;
  readonly againstIds: number;
  /** Rows with the text, author and second of another message. */
  readonly copies: number;
  readonly areCopiesExact: boolean;
  /** People whom one export describes with two mail addresses; for tables, under two names. */
  readonly twice: number;
  /** Their ids: the first 10,000. */
  readonly twiceIds: readonly string[];
}

const twiceMax = 10_000;
/** Longer texts that begin alike and are of one length are taken for the same. */
const hashedMax = 400;

/** Looks at records on their way into the store, or into a count: 64 MB at most. */
export class Looks {
  #rows = 0;
  #texts = 0;
  #cipher = 0;
  readonly #copies = new DifferingValues();
  readonly #people = new DifferingValues();
  readonly #twiceIds = new Set<string>();
  readonly #order = new IdOrder();
  readonly #isTable: boolean;

  /** @param isTable A platform knows who has changed a name; a table has two people of one id. */
  constructor(isTable: boolean) {
    this.#isTable = isTable;
  }

  /** @param input Number of the export that it belongs to: exports of different days may well name a person differently. */
  add(record: ChatRecord, input: number): void {
    if (record.kind === 'message') this.#addMessage(record);
    else if (record.kind === 'user') this.#addUser(record, input);
  }

  seen(): Seen {
    const { times: copies, isExact: areCopiesExact } = this.#copies.counts();
    const { keys: twice } = this.#people.counts();
    const counts = { rows: this.#rows, texts: this.#texts, cipher: this.#cipher, copies, areCopiesExact, twice };
    return { ...counts, twiceIds: [...this.#twiceIds], ...this.#order.counts() };
  }

  #addMessage(record: MessageRecord): void {
    if (record.systemEvent !== undefined || record.isDeleted) return;
    const { origin, text, sentAtMs } = record;
    this.#rows++;
    this.#order.add(origin.id, origin.conversation, sentAtMs);
    if (text === '') return;
    this.#texts++;
    if (looksEncrypted(text)) this.#cipher++;
    const author = hashText(authorId(record), text.length);
    const first = hashText(text, author);
    this.#copies.add(
      first,
      mix(first, author ^ Math.trunc(sentAtMs / 1000)),
      hashText(origin.id, hashText(origin.conversation, 0)),
    );
  }

  #addUser({ id, name, email, isPlaceholder }: UserRecord, input: number): void {
    const told = email || (this.#isTable ? name : undefined);
    if (isPlaceholder || told === undefined) return;
    const first = hashText(id, input);
    const isOther = this.#people.add(first, hashText(id, ~first), hashText(told, 0));
    if (isOther && this.#twiceIds.size < twiceMax) this.#twiceIds.add(id);
  }
}

/** @param later Of a part of the export that was read again: what it says counts again, so that the sums are about right. */
export const addSeen = (seen: Seen, later: Seen): Seen => ({
  rows: seen.rows + later.rows,
  texts: seen.texts + later.texts,
  cipher: seen.cipher + later.cipher,
  ordered: seen.ordered + later.ordered,
  againstIds: seen.againstIds + later.againstIds,
  copies: seen.copies + later.copies,
  areCopiesExact: false,
  twice: Math.max(seen.twice, later.twice),
  twiceIds: [...new Set([...seen.twiceIds, ...later.twiceIds])].slice(0, twiceMax),
});

/** Things that were read more than once count as often as their messages. */
export function joinSeen<Counts extends Pick<ReadingResult, 'messages' | 'people'>>(counts: Counts, seen: Seen) {
  const { rows, texts: looked, cipher, copies, areCopiesExact, twice } = seen;
  const share = areCopiesExact || rows === 0 ? 1 : Math.min(1, counts.messages / rows);
  return {
    ...counts,
    people: { ...counts.people, twice },
    texts: { looked, cipher },
    copies: { count: Math.round(copies * share), isExact: areCopiesExact },
  };
}

const dayMs = 86_400_000;

/** From the first chats that anybody exports until tomorrow. */
export const usualTimes = (nowMs: number) => ({ fromMs: Date.UTC(1995, 0), toMs: nowMs + dayMs });

/** Whether times and numeric ids go the same way, from row to row. */
class IdOrder {
  readonly #inside = { ordered: 0, againstIds: 0 };
  readonly #all = { ordered: 0, againstIds: 0 };
  #numbers = 0;
  #least = Number.POSITIVE_INFINITY;
  #greatest = Number.NEGATIVE_INFINITY;
  #last: { number: number; conversation: string; sentAtMs: number } | undefined;

  add(id: string, conversation: string, sentAtMs: number): void {
    const number = id.length <= idLengthMax ? Number(id) : Number.NaN;
    if (!Number.isInteger(number)) return;
    this.#numbers++;
    if (number < this.#least) this.#least = number;
    if (number > this.#greatest) this.#greatest = number;
    const last = this.#last;
    if (!last) {
      this.#last = { number, conversation, sentAtMs };
      return;
    }
    if (number !== last.number && sentAtMs !== last.sentAtMs) {
      const isAgainst = number > last.number !== sentAtMs > last.sentAtMs;
      count(this.#all, isAgainst);
      if (conversation === last.conversation) count(this.#inside, isAgainst);
    }
    last.number = number;
    last.conversation = conversation;
    last.sentAtMs = sentAtMs;
  }

  /** Numbers that were given out one after the other leave few out. Where they begin again in each conversation, only neighbours in it are compared. */
  counts(): Pick<Seen, 'ordered' | 'againstIds'> {
    const span = this.#greatest - this.#least + 1;
    if (!(span <= this.#numbers * sparseMax)) return { ordered: 0, againstIds: 0 };
    return span < this.#numbers * repeatedShare ? this.#inside : this.#all;
  }
}

/** Digits that a number holds exactly. */
const idLengthMax = 15;
const sparseMax = 50;
const repeatedShare = 0.9;

function count(counts: { ordered: number; againstIds: number }, isAgainst: boolean): void {
  counts.ordered++;
  if (isAgainst) counts.againstIds++;
}

function hashText(text: string, seed: number): number {
  let sum = seed | 0;
  const length = Math.min(text.length, hashedMax);
  for (let at = 0; at < length; at++) sum = Math.imul(sum ^ text.charCodeAt(at), 0x01000193) ^ (sum >>> 15);
  return mix(sum, length);
}

/** The last steps of MurmurHash3: every bit of the result depends on every bit of both. */
function mix(one: number, other: number): number {
  let sum = one ^ Math.imul(other, 0x9e3779b1);
  sum = Math.imul(sum ^ (sum >>> 16), 0x85ebca6b);
  sum = Math.imul(sum ^ (sum >>> 13), 0xc2b2ae35);
  return sum ^ (sum >>> 16);
}

export const nothingSeen: Seen = new Looks(true).seen();
