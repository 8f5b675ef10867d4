/** Returns the name that was probably meant: the one that differs least, by a third of its letters at most. Case does not count. */
export function nearestName(meant: string, names: Iterable<string>): string | undefined {
  const word = meant.toLowerCase();
  let best: string | undefined;
  let least = Math.max(1, Math.floor(word.length / 3)) + 1;
  for (const name of names) {
    const distance = editDistance(word, name.toLowerCase(), least);
    if (distance >= least) continue;
    least = distance;
    best = name;
  }
  return best;
}

/** Returns the number of letters to insert, remove, replace or swap with the next; `max` if it is that or more. */
function editDistance(a: string, b: string, max: number): number {
  if (Math.abs(a.length - b.length) >= max) return max;
  let before = Array.from({ length: b.length + 1 }, (_, index) => index);
  let earlier = before;
  for (let row = 1; row <= a.length; row++) {
    const now = [row];
    for (let column = 1; column <= b.length; column++) {
      const replaced = before[column - 1]! + (a[row - 1] === b[column - 1] ? 0 : 1);
      const isSwapped = a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      const swapped = isSwapped && row > 1 ? earlier[column - 2]! + 1 : max;
      now.push(Math.min(replaced, swapped, before[column]! + 1, now[column - 1]! + 1));
    }
    [earlier, before] = [before, now];
  }
  return Math.min(before[b.length]!, max);
}
