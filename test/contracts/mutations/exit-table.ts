/** How plans of mutated samples ended: by source and kind of mutation. */
export class ExitTable {
  readonly #counts = new Map<string, Map<string, Map<number, number>>>();
  count = 0;

  add(source: string, kind: string, exit: number): void {
    const kinds = this.#counts.get(source) ?? new Map<string, Map<number, number>>();
    const exits = kinds.get(kind) ?? new Map<number, number>();
    this.#counts.set(source, kinds.set(kind, exits.set(exit, (exits.get(exit) ?? 0) + 1)));
    this.count += 1;
  }

  /** A Markdown table: how many were tried, and of those `3: 12` ended with exit code 3. The others ended with 0. */
  print(): string {
    const kinds = [...new Set([...this.#counts.values()].flatMap((ofSource) => [...ofSource.keys()]))];
    const rows = [...this.#counts].map(([source, ofSource]) => {
      const cells = kinds.map((kind) => cellOf(ofSource.get(kind)));
      return `| ${[source, ...cells].join(' | ')} |`;
    });
    return [`| source | ${kinds.join(' | ')} |`, `|---|${kinds.map(() => '---:|').join('')}`, ...rows].join('\n');
  }
}

function cellOf(exits: ReadonlyMap<number, number> | undefined): string {
  if (!exits) return '';
  const tried = [...exits.values()].reduce((sum, count) => sum + count, 0);
  const others = [...exits].filter(([exit]) => exit !== 0).sort(([a], [b]) => a - b);
  return [`${tried}`, ...others.map(([exit, count]) => `${exit}: ${count}`)].join(', ');
}
