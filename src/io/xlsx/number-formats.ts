import { WorkbookFault, type PartHandler } from './xml-reader.ts';

/** How a number is to be read: as itself, a date, a date with its time, a time of the day, or hours that may be more than a day. */
export type NumberKind = 'number' | 'date' | 'date-time' | 'time' | 'hours';

/** Excel itself has at most 65,490 formats of cells. */
const formatsMax = 100_000;

/**
 * Ids of formats that files do not describe: ECMA-376, part 1, 18.8.30. Those of 27 and above 50 are dates in the Chinese, Japanese and Korean
 * editions of Excel; no other edition has them.
 */
const builtIn = new Map<number, NumberKind>([
  ...ids('date', 14, 17),
  ...ids('time', 18, 21),
  ...ids('date-time', 22, 22),
  ...ids('date', 27, 31),
  ...ids('time', 32, 33),
  ...ids('date', 34, 36),
  ...ids('time', 45, 45),
  ...ids('hours', 46, 46),
  ...ids('time', 47, 47),
  ...ids('date', 50, 54),
  ...ids('time', 55, 56),
  ...ids('date', 57, 58),
]);

function ids(kind: NumberKind, first: number, last: number): readonly (readonly [number, NumberKind])[] {
  return Array.from({ length: last - first + 1 }, (_, at) => [first + at, kind]);
}

/** Kinds of the numbers in a workbook, by the format of a cell. Filled from the part `styles.xml`. */
export class NumberFormats implements PartHandler {
  readonly #custom = new Map<number, NumberKind>();
  readonly #formatIds: number[] = [];
  #isInCellFormats = false;

  /** @param style The attribute `s` of a cell. */
  kindOf(style: number): NumberKind {
    const id = this.#formatIds[style] ?? 0;
    return this.#custom.get(id) ?? builtIn.get(id) ?? 'number';
  }

  open(name: string, attributes: ReadonlyMap<string, string>): void {
    const id = Number(attributes.get('numFmtId') ?? 0);
    if (name === 'cellXfs') this.#isInCellFormats = true;
    else if (name === 'numFmt') this.#custom.set(id, parseFormatCode(attributes.get('formatCode') ?? ''));
    else if (name === 'xf' && this.#isInCellFormats) this.#formatIds.push(id);
    if (this.#custom.size > formatsMax || this.#formatIds.length > formatsMax)
      throw new WorkbookFault(`it has more than ${formatsMax} formats`);
  }

  text(): void {}

  close(name: string): void {
    if (name === 'cellXfs') this.#isInCellFormats = false;
  }
}

/** @param code `yyyy\-mm\-dd hh:mm`, `[h]:mm`, `0.00" days"`, `[Red]0;[Blue]-0`. Its first section decides. */
function parseFormatCode(code: string): NumberKind {
  const bare = code.replace(/"[^"]*"?|\\.|[_*]./g, '');
  const elapsed = /\[(?:h+|m+|s+)\]/i;
  const [section = ''] = bare.split(';');
  if (elapsed.test(section)) return 'hours';
  const marks = section.replace(/\[[^\]]*\]/g, '').replace(/general/gi, '');
  const hasTime = /[hs]/i.test(marks);
  // A month, unless it is next to hours or seconds: then minutes.
  const hasDate = /[dy]/i.test(marks) || (!hasTime && /m/i.test(marks));
  if (hasDate) return hasTime ? 'date-time' : 'date';
  return hasTime ? 'time' : 'number';
}
