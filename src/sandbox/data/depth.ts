/** Levels of objects and lists. JSON has no bound; SQLite reads no more than 1,000 and some JSON writers less. */
export const depthMax = 64;

export function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((inner) => isDeeperThan(inner, levels - 1));
}
