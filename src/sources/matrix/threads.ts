import { asCount, asObject, asString } from '../kit/narrow.ts';
import { contentOf, type Event, relationOf, unsignedOf } from './format.ts';

/** Roots of threads that are remembered, some 100 bytes each. */
const rootsMax = 100_000;

/** How many answers a server counts in threads, and how many a file has. */
export class ThreadCounts {
  readonly #counted = new Map<string, number>();
  readonly #found = new Map<string, number>();

  note(event: Event, id: string | undefined): void {
    const bundled = asObject<Record<string, unknown>>(unsignedOf(event)['m.relations']);
    const count = asCount(asObject<{ count: number }>(bundled?.['m.thread'])?.count);
    if (count !== undefined && id !== undefined && this.#counted.size < rootsMax) this.#counted.set(id, count);
    const { rel_type, event_id } = relationOf(contentOf(event));
    const root = rel_type === 'm.thread' || rel_type === 'io.element.thread' ? asString(event_id) : undefined;
    if (root !== undefined && (this.#found.has(root) || this.#found.size < rootsMax))
      this.#found.set(root, (this.#found.get(root) ?? 0) + 1);
  }

  missing(): { readonly threads: number; readonly missing: number } {
    const gaps = [...this.#counted]
      .map(([root, count]) => count - (this.#found.get(root) ?? 0))
      .filter((gap) => gap > 0);
    return { threads: gaps.length, missing: gaps.reduce((sum, gap) => sum + gap, 0) };
  }
}
