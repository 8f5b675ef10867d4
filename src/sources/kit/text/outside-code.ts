/**
 * A text of Markdown with `convert` done to what is no code.
 *
 *     outsideCode('`*a*` *b*', (piece) => piece.replaceAll('*', '**')); // '`*a*` **b**'
 */
export function outsideCode(text: string, convert: (piece: string) => string): string {
  let result = '';
  let end = 0;
  for (const [from, to] of codeIn(text)) {
    result += convert(text.slice(end, from)) + text.slice(from, to);
    end = to;
  }
  return result + convert(text.slice(end));
}

/** Finds code: between two equal runs of backticks, or after a fence that nothing closes. In one pass. */
function* codeIn(text: string): Generator<readonly [from: number, to: number]> {
  if (!text.includes('`')) return;
  const runs = [...text.matchAll(/`+/g)].map(({ index, 0: { length } }) => ({ at: index, length }));
  const next = new Map<number, number>();
  const closing = runs.map(() => -1);
  for (let index = runs.length - 1; index >= 0; index -= 1) {
    closing[index] = next.get(runs[index]!.length) ?? -1;
    next.set(runs[index]!.length, index);
  }
  for (let index = 0; index < runs.length; index += 1) {
    const { at, length } = runs[index]!;
    const end = closing[index]!;
    if (end >= 0) {
      yield [at, runs[end]!.at + length];
      index = end;
    } else if (length > 2 && (at === 0 || text[at - 1] === '\n')) return yield [at, text.length];
  }
}
