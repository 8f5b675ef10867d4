import type { Result } from './answers.ts';

/** What became of each uid of a request, in its order and in lower case. */
export function resultByUid(uids: readonly string[], act: (uid: string) => Result): Record<string, Result> {
  const results = new Map<string, Result>();
  for (const uid of uids) {
    const lowered = uid.toLowerCase();
    if (!results.has(lowered)) results.set(lowered, act(lowered));
  }
  return Object.fromEntries(results);
}
