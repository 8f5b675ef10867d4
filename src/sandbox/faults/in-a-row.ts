/**
 * Says whether an import may be broken once more: not if one of its messages was in so many broken requests, one after the other.
 * Remembers the messages of broken requests until one of their requests passes.
 */
export function createFairness(inARowMax: number): {
  isDue(muids: readonly string[]): boolean;
  note(muids: readonly string[], isBroken: boolean): void;
} {
  const counts = new Map<string, number>();
  return {
    isDue: (muids) => muids.every((muid) => (counts.get(muid) ?? 0) < inARowMax),
    note(muids, isBroken) {
      for (const muid of muids) {
        if (isBroken) counts.set(muid, (counts.get(muid) ?? 0) + 1);
        else counts.delete(muid);
      }
    },
  };
}
