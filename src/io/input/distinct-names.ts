import { sep } from 'node:path';

/**
 * A name for each file inside their common input: the base name, or as many of the folders above it as it takes to
 * tell files of one name apart (`2023/users.csv`, `2024/users.csv`).
 *
 * @param realPaths Absolute, each once.
 * @returns In the same order.
 */
export function distinctNames(realPaths: readonly string[]): readonly string[] {
  const parts = realPaths.map((path) => path.split(sep).filter((part) => part !== ''));
  const depths = realPaths.map(() => 1);
  for (;;) {
    const names = parts.map((all, index) => all.slice(-depths[index]!).join('/'));
    const counts = Map.groupBy(names.keys(), (index) => names[index]!);
    const unclear = [...counts.values()].filter((indexes) => indexes.length > 1).flat();
    if (unclear.length === 0) return names;
    for (const index of unclear) depths[index]! += 1;
  }
}
