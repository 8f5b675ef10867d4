/** A way to answer a decision, as whoever declares the decision writes it. */
export interface Option {
  /** A verb first, no key of a mapping and no code: `Leave these rows out`. `{count}` stands for what the decision is about: `149 messages`. */
  readonly does: string;
  readonly effect: Effect;
  /** Evidence for this option. */
  readonly because?: string;
}

/** The result of taking an option: settings as `--set` takes them, a command of Chatferry, or what only a person can do elsewhere. */
export type Effect =
  | { readonly sets: Readonly<Record<string, string>> }
  /** A value that only the owner knows; `example` is one that the key takes. */
  | { readonly asks: string; readonly example: string }
  /** Without the name of the program: `fetch slack`. */
  | { readonly runs: string }
  | { readonly outside: true };

/** @param settings Keys of the mapping, each with a value. */
export const sets = (does: string, settings: Readonly<Record<string, string>>): Option => ({
  does,
  effect: { sets: settings },
});

export const asks = (does: string, key: string, example: string): Option => ({ does, effect: { asks: key, example } });

export const runs = (does: string, command: string): Option => ({ does, effect: { runs: command } });

export const outside = (does: string): Option => ({ does, effect: { outside: true } });

/** @param count In words: `149 messages`, `these rows`. */
export const withCount = (words: string, count: string): string => words.replaceAll('{count}', count);
