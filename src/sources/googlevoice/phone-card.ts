/**
 * One's own numbers in `Phones.vcf`: the one that is labelled "Google Voice", else the only one. The others are telephones that calls are
 * passed on to, which may be of other people.
 *
 *     item1.TEL:+15555550100
 *     item1.X-ABLabel:Google Voice
 *     TEL;TYPE=CELL:+15555550199
 */
export function numberOfCard(card: string): ReadonlySet<string> {
  const numbers = new Map<string, string>();
  const labelled = new Set<string>();
  for (const line of card.split(/\r?\n/)) {
    const [, group = line, property = '', value = ''] = /^(?:(\w+)\.)?(TEL|X-ABLabel)[^:]*:(.*)$/i.exec(line) ?? [];
    if (property.toUpperCase() === 'TEL') numbers.set(group, value.replace(/[\s()-]/g, ''));
    else if (value.trim() === 'Google Voice') labelled.add(group);
  }
  const own = [...numbers].filter(([group]) => labelled.has(group));
  return new Set((own.length > 0 ? own : numbers.size === 1 ? [...numbers] : []).map(([, number]) => number));
}
