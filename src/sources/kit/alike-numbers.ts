/** Digits in which a telephone number with the code of its country and one without are the same. */
const commonDigits = 9;

/**
 * Telephone numbers that end alike, and may be those of one person: `+447700900123` and `07700900123`.
 *
 * @param people Person by address; addresses that are no numbers are passed over.
 * @returns groups of at least two different people.
 */
export function alikeNumbers(
  people: Iterable<readonly [address: string, person: string]>,
): readonly (readonly string[])[] {
  const groups = new Map<string, Set<string>>();
  for (const [address, person] of people) {
    const digits = address.replace(/[\s().-]/g, '');
    if (!/^\+?\d{9,}$/.test(digits)) continue;
    const end = digits.slice(-commonDigits);
    groups.set(end, (groups.get(end) ?? new Set()).add(person));
  }
  return [...groups.values()].filter(({ size }) => size > 1).map((same) => [...same]);
}
