import type { Finding } from '../../source.ts';

type Options = Readonly<Record<string, unknown>>;

/** What a field of a proposal becomes. */
export interface Choice {
  readonly value?: unknown;
  readonly because: string;
  readonly alternatives?: Finding['alternatives'];
  readonly isRequired?: boolean;
}

/** A `source:` section in the making. What the user has decided stays, and is no finding. */
export class Draft {
  readonly findings: Finding[] = [];
  readonly #options: Record<string, unknown>;

  constructor(decided: Options) {
    this.#options = structuredClone(decided) as Record<string, unknown>;
  }

  /** The section as far as it is decided: by the user, or by evidence that leaves one reading. */
  get options(): Options {
    return this.#options;
  }

  /** What stands at a dotted key. */
  at(key: string): unknown {
    return key
      .split('.')
      .reduce<unknown>(
        (value, step) => (isSection(value) && Object.hasOwn(value, step) ? value[step] : undefined),
        this.#options,
      );
  }

  choose(key: string, { value, because, alternatives = [], isRequired = false }: Choice): void {
    if (this.at(key) !== undefined) return;
    this.findings.push({ key, ...(value !== undefined && { value }), because, alternatives, isRequired });
    if (value !== undefined && alternatives.length === 0) this.#set(key.split('.'), value);
  }

  /** Says the same in another way. */
  replace(key: string, value: unknown): void {
    this.#set(key.split('.'), value);
  }

  #set(steps: readonly string[], value: unknown): void {
    let section = this.#options;
    for (const step of steps.slice(0, -1)) {
      const next = section[step];
      // A value of the user's own stands here: what would go below it has no place.
      if (next !== undefined && !isSection(next)) return;
      const inner = next ?? {};
      section[step] = inner;
      section = inner;
    }
    section[steps.at(-1)!] = value;
  }
}

const isSection = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
