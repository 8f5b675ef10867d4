import type { ConversationRecord, MessageRecord } from '../../model/records.ts';
import type { CountedConversation } from '../../model/counted-conversation.ts';
import type { Inspection } from '../results.ts';
import { TimeBins } from './time-bins.ts';

/** Those of most messages; the others are only counted. */
const listedMax = 20_000;
/** Members by whom a conversation without a name is called. */
const namesMax = 3;

interface Counts {
  readonly id: string;
  /** Null until a record describes it. */
  type: ConversationRecord['type'] | null;
  name: string;
  members: number | null;
  /** The first members, if it has no name. */
  readonly called: string[];
  messages: number;
  firstAtMs: number | null;
  lastAtMs: number | null;
}

/** Counts the messages of each conversation: some 300 bytes each. */
export class ConversationCounter {
  readonly #counts: Counts[] = [];
  readonly #byId = new Map<string, number>();
  readonly #bins = new TimeBins();

  describe({ id, type, name = '', members }: ConversationRecord): void {
    const counts = this.#counts[this.#place(id)]!;
    counts.type = type;
    counts.name = name;
    counts.members = members.length;
    counts.called.splice(0, Infinity, ...(name === '' ? members.slice(0, namesMax) : []));
  }

  add({ origin: { conversation }, sentAtMs }: MessageRecord): void {
    const place = this.#place(conversation);
    const counts = this.#counts[place]!;
    counts.messages++;
    counts.firstAtMs = Math.min(counts.firstAtMs ?? sentAtMs, sentAtMs);
    counts.lastAtMs = Math.max(counts.lastAtMs ?? sentAtMs, sentAtMs);
    this.#bins.add(place, sentAtMs);
  }

  nameOf(id: string): string | undefined {
    return this.#counts[this.#byId.get(id) ?? -1]?.name;
  }

  /** How many a record describes, by type. */
  types(): Record<string, number> {
    const types: Record<string, number> = {};
    for (const { type } of this.#counts) if (type !== null) types[type] = (types[type] ?? 0) + 1;
    return types;
  }

  /** @param personName The name of a person; undefined if the export has none. */
  list(personName: (id: string) => string | undefined): Inspection['conversationList'] {
    const rows = this.#counts.map((counts, place) => ({ counts, place }));
    const largest = rows.toSorted((one, other) => other.counts.messages - one.counts.messages).slice(0, listedMax);
    const bins = this.#bins.list();
    return {
      count: this.#counts.length,
      rows: largest.map(({ counts: { called, ...counts }, place }): CountedConversation => {
        const names = called.map((id) => personName(id) || id).join(', ');
        return { ...counts, title: counts.name || names || counts.id, bins: bins(place) };
      }),
    };
  }

  #place(id: string): number {
    const known = this.#byId.get(id);
    if (known !== undefined) return known;
    const place = this.#counts.length;
    const none = { type: null, name: '', members: null, called: [], messages: 0 };
    this.#counts.push({ id, ...none, firstAtMs: null, lastAtMs: null });
    this.#byId.set(id, place);
    return place;
  }
}
