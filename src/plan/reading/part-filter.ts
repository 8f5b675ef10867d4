import type { Entry } from '../../model/entry.ts';
import { type Part, Parts } from '../../model/part.ts';

/** A part, as it crosses to a thread that reads. */
export interface PartOrder extends Part {
  /** Lists of conversations of the mapping: the others of each become part of the first. */
  readonly merges: readonly (readonly string[])[];
}

/** Whose rows a file holds, by its path; undefined where only the file says it. */
export type OwnerOf = (path: string) => string | undefined;

/** Why a file of another part was not read. */
const ofAnotherPart = 'Of another part of the export';

/**
 * Keeps what belongs to one part. Each message, reject and problem of an export is kept in exactly one: with its conversation, or
 * that of its file where the source says that one; else in the first. People are kept in each.
 */
export class PartFilter {
  readonly #index: number;
  readonly #parts: Parts;
  #ownerOf: OwnerOf = () => undefined;
  /** The file whose conversation was told last. */
  #told: { readonly path: string; readonly conversation: string } | undefined;

  constructor(order: PartOrder) {
    this.#index = order.index;
    this.#parts = new Parts(order, order.merges);
  }

  beginInput(ownerOf: OwnerOf = () => undefined): void {
    this.#ownerOf = ownerOf;
    this.#told = undefined;
  }

  /** Whether a file of rows is to be opened. */
  wants(path: string): boolean {
    const owner = this.#ownerOf(path);
    return owner === undefined || this.#has(owner);
  }

  /** Whether the rest of a file is to be read, all of whose rows are of one conversation. */
  wantsRowsOf(path: string, conversation: string): boolean {
    this.#told = { path, conversation };
    return this.#has(conversation);
  }

  kept(entries: readonly Entry[]): readonly Entry[] {
    const own = entries.filter((entry) => this.#keeps(entry));
    return this.#index === 0 ? own : own.map(skippedWhereUnknown);
  }

  #keeps(entry: Entry): boolean {
    if (entry.type === 'file') return true;
    if (entry.type === 'record') {
      const { record } = entry;
      if (record.kind === 'message') return this.#has(record.origin.conversation);
      if (record.kind === 'conversation') return this.#has(record.id);
      return record.kind === 'user' || this.#index === 0;
    }
    const { path } = entry.location;
    const named = entry.type === 'reject' ? entry.conversation : undefined;
    const owner = named ?? this.#ownerOf(path) ?? (this.#told?.path === path ? this.#told.conversation : undefined);
    return owner === undefined ? this.#index === 0 : this.#has(owner);
  }

  #has(conversation: string): boolean {
    return this.#parts.of(conversation) === this.#index;
  }
}

/** A file that is not part of the format is told of once. */
const skippedWhereUnknown = (entry: Entry): Entry =>
  entry.type === 'file' && entry.role === 'unknown'
    ? { type: 'file', path: entry.path, role: 'skipped', reason: ofAnotherPart }
    : entry;
