import type { Store } from '../store/open.ts';
import type { MessageFacts } from '../store/totals.ts';
import { IdCounts } from '../lib/maps/id-counts.ts';
import type { Facts } from '../model/facts.ts';
import { noTotals } from '../model/totals.ts';

/** Places that are kept for each code. */
const examplesMax = 3;
/** Different fact texts that are remembered: some 100 bytes each. */
const factTextsMax = 10_000;
/** Days of which the month is remembered: more than a century. */
const daysMax = 50_000;

export interface CodeCount {
  count: number;
  /** `seq` of the first few. */
  readonly examples: number[];
}

interface FactCount {
  read: number;
  planned: number;
  /** `seq` of the first planned message that has it. */
  first?: number | undefined;
}

/** Adds up all messages of a store in one pass, or returns what an earlier pass came to if no message has changed since. */
export function addUpMessages({ totals }: Store, destination: number | null): Tally {
  const name = `tally at ${destination ?? 'no destination'}`;
  const kept = totals.kept(name);
  if (kept !== undefined) return Tally.from(kept);
  const tally = new Tally();
  totals.eachMessage(destination, (row) => tally.add(row));
  totals.keep(name, tally.toText());
  return tally;
}

/** Adds up messages, one by one. */
export class Tally {
  readonly skipped = new Map<string, CodeCount>();
  readonly invalid = new Map<string, CodeCount>();
  readonly failed = new Map<string, CodeCount>();
  /** Planned messages by conversation. */
  readonly conversations = new IdCounts();
  /** Conversations of which something was read. */
  conversationCount = 0;
  pendingConversationCount = 0;
  /** When they were added up: no other state of a store has the same. */
  countedAtMs = nextMs();
  readonly months = new Map<string, number>();
  readonly authors = new IdCounts();
  /** Planned messages by day since 1970, UTC, and those of them that are pending. */
  readonly days = new Map<number, { planned: number; pending: number }>();
  readonly totals = noTotals();
  pendingBytes = 0;
  readonly #facts = new Map<string, FactCount>();
  /** By their text, how often: the same few come again and again. Added up once they are asked for, or too many. */
  readonly #factTexts = new Map<string, FactCount>();

  readonly #readConversations = new IdCounts();
  readonly #pendingConversations = new IdCounts();
  /** By day since 1970: the same days come again and again. */
  readonly #monthOfDay = new Map<number, string>();

  /** Facts of all that were read: reactions, replies and so on. */
  get read(): ReadonlyMap<string, number> {
    this.#addUpFacts();
    return new Map([...this.#facts].map(([name, { read }]) => [name, read]));
  }

  /** Facts of those that are planned; none that no such message has. */
  get planned(): ReadonlyMap<string, number> {
    this.#addUpFacts();
    return new Map(
      [...this.#facts].filter(([, { planned }]) => planned > 0).map(([name, { planned }]) => [name, planned]),
    );
  }

  /** For each fact `seq` of the first planned message that has it. */
  get examples(): ReadonlyMap<string, number> {
    this.#addUpFacts();
    return new Map(
      [...this.#facts].flatMap(([name, { first }]) => (first === undefined ? [] : [[name, first] as const])),
    );
  }

  add(row: MessageFacts): void {
    const { totals } = this;
    if (row.verdict === 'duplicate') {
      totals.duplicates++;
      return;
    }
    totals.read++;
    totals[row.verdict]++;
    if (row.facts !== null) this.#addFacts(row.facts, row);
    if (row.verdict === 'skipped') note(this.skipped, row.reason!, row.seq);
    else if (row.verdict === 'invalid') note(this.invalid, row.reason!, row.seq);
    else this.#addPlanned(row);
    if (row.conversation !== null) this.#addConversation(row.conversation, row);
  }

  /** For another run: `Tally.from`. */
  toText(): string {
    this.#addUpFacts();
    const { skipped, invalid, failed, months, days, totals, ...counts } = this;
    const maps = [skipped, invalid, failed, months, days, this.#facts].map((map) => [...map]);
    const [authors, conversations] = [this.authors.toText(), this.conversations.toText()];
    return JSON.stringify({ ...counts, maps, authors, conversations, totals });
  }

  static from(text: string): Tally {
    const { maps, authors, conversations, totals, ...counts } = JSON.parse(text);
    const tally = new Tally();
    const { skipped, invalid, failed, months, days } = tally;
    for (const [index, map] of [skipped, invalid, failed, months, days, tally.#facts].entries())
      for (const [key, value] of maps[index]) (map as Map<unknown, unknown>).set(key, value);
    tally.authors.addText(authors);
    tally.conversations.addText(conversations);
    Object.assign(tally.totals, totals);
    return Object.assign(tally, counts);
  }

  #addFacts(json: string, { verdict, seq }: MessageFacts): void {
    let counts = this.#factTexts.get(json);
    if (!counts) {
      if (this.#factTexts.size === factTextsMax) this.#addUpFacts();
      counts = { read: 0, planned: 0 };
      this.#factTexts.set(json, counts);
    }
    counts.read++;
    if (verdict !== 'planned') return;
    counts.planned++;
    counts.first = Math.min(counts.first ?? seq, seq);
  }

  #addUpFacts(): void {
    for (const [json, { read, planned, first }] of this.#factTexts) {
      for (const [name, count] of Object.entries(JSON.parse(json) as Facts)) {
        const fact = this.#ensureFact(name);
        fact.read += count * read;
        fact.planned += count * planned;
        if (first !== undefined && count > 0) fact.first = Math.min(fact.first ?? first, first);
      }
    }
    this.#factTexts.clear();
  }

  #ensureFact(name: string): FactCount {
    let fact = this.#facts.get(name);
    if (!fact) {
      fact = { read: 0, planned: 0 };
      this.#facts.set(name, fact);
    }
    return fact;
  }

  #addPlanned(row: MessageFacts): void {
    const state = stateName(row.state);
    this.totals[state]++;
    if (state === 'imported' && row.isLate === 1) this.totals.late++;
    if (state === 'pending') this.pendingBytes += row.bytes ?? 0;
    if (row.sender !== null) this.authors.add(row.sender);
    if (row.sentAt !== null) this.#addTime(row.sentAt, state === 'pending');
    if (row.state === 'failed') note(this.failed, row.code ?? 'failed', row.seq);
  }

  #addTime(ms: number, isPending: boolean): void {
    const day = Math.floor(ms / 86_400_000);
    increase(this.months, this.#monthOf(ms, day), 1);
    const counts = this.days.get(day) ?? { planned: 0, pending: 0 };
    counts.planned++;
    if (isPending) counts.pending++;
    this.days.set(day, counts);
  }

  #monthOf(ms: number, day: number): string {
    const month = this.#monthOfDay.get(day) ?? monthOf(ms);
    if (this.#monthOfDay.size < daysMax) this.#monthOfDay.set(day, month);
    return month;
  }

  #addConversation(id: number, { verdict, state }: MessageFacts): void {
    this.#readConversations.add(id);
    this.conversationCount = this.#readConversations.size;
    if (verdict !== 'planned') return;
    this.conversations.add(id);
    if (stateName(state) !== 'pending') return;
    this.#pendingConversations.add(id);
    this.pendingConversationCount = this.#pendingConversations.size;
  }
}

let latestMs = 0;
const nextMs = (): number => {
  latestMs = Math.max(Date.now(), latestMs + 1);
  return latestMs;
};

const stateName = (state: string | null) =>
  state === null
    ? 'pending'
    : state === 'sent'
      ? 'unconfirmed'
      : (state as 'imported' | 'existing' | 'failed' | 'pending');

/** `2024-03`, UTC. */
const monthOf = (ms: number): string =>
  Math.abs(ms) > 8.64e15 ? 'unknown' : new Date(ms).toISOString().replace(/^([+-]?\d+-\d\d).*/, '$1');

function increase<Key>(counts: Map<Key, number>, key: Key, by: number): void {
  counts.set(key, (counts.get(key) ?? 0) + by);
}

function note(groups: Map<string, CodeCount>, code: string, seq: number): void {
  const group = groups.get(code);
  if (!group) groups.set(code, { count: 1, examples: [seq] });
  else if (++group.count && group.examples.length < examplesMax) group.examples.push(seq);
}
