/**
 * One kind of fault that a source can have, and what is tried for it on each source. Every source is in `cases` or in `without`: a new one
 * has to decide.
 */
export interface Kind<Case> {
  /** `rows inside of rows` */
  readonly name: string;
  /** Cases by source. */
  readonly cases: Readonly<Record<string, readonly Case[]>>;
  /** Why nothing can be tried, by source: a fact about the format, in a sentence. */
  readonly without: Readonly<Record<string, string>>;
  /** Faults that are known and not mended yet, by source, in a sentence. */
  readonly known?: Readonly<Record<string, string>>;
}

/** Returns the errors in the lists of a kind. */
export function gapsOf({ cases, without, known = {} }: Kind<unknown>, sources: readonly string[]): string[] {
  const listed = [...Object.keys(cases), ...Object.keys(without), ...Object.keys(known)];
  return [
    ...sources.filter((name) => !listed.includes(name)).map((name) => `${name} is in no list`),
    ...listed.filter((name) => !sources.includes(name)).map((name) => `${name} is no source`),
    ...Object.keys(cases).flatMap((name) => (name in without ? [`${name} is in both lists`] : [])),
    ...Object.entries({ ...without, ...known }).flatMap(([name, why]) =>
      /^[A-Z].{20}/.test(why) ? [] : [`${name} gives no reason`],
    ),
  ];
}

/** The cases of all sources, a line each: `[source, case]`. */
export const casesOf = <Case>({ cases }: Kind<Case>): (readonly [source: string, one: Case])[] =>
  Object.entries(cases).flatMap(([source, all]) => all.map((one) => [source, one] as const));
