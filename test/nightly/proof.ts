/** A line of the nightly's table. */
export interface Proof {
  readonly name: string;
  /** Begins the same again. Null if nothing in it is random. */
  readonly seed: string | null;
  readonly result: 'passed' | 'skipped' | 'FAILED';
  readonly seconds: number;
  readonly tests: { readonly passed: number; readonly failed: number; readonly skipped: number };
  readonly figures: Readonly<Record<string, number | string>>;
}

/** A Markdown table, the slowest proof first. */
export function proofsTable(proofs: readonly Proof[]): string {
  const rows = [...proofs]
    .sort((a, b) => b.seconds - a.seconds)
    .map(({ name, seed, result, seconds, tests, figures }) => {
      const counts = `${tests.passed}${tests.failed > 0 ? `, ${tests.failed} failed` : ''}${tests.skipped > 0 ? `, ${tests.skipped} skipped` : ''}`;
      const words = Object.entries(figures).map(([figure, value]) => `${figure} ${value}`);
      return `| ${name} | ${seed ?? ''} | ${result} | ${Math.round(seconds)} s | ${counts} | ${words.join(', ')} |`;
    });
  return ['| proof | seed | result | duration | tests | figures |', '|---|---|---|---:|---|---|', ...rows].join('\n');
}
