/**
 * Lines of a chat log that look like headings of days or beginnings of messages, and are a part of a text: people write dates and paste other
 * chats. Two facts find them: days and times of a log go forward, and a message begins below a heading.
 */

/** Headings that are compared: those of 300 years. Behind them each is one. */
const headingsMax = 100_000;
/** Headings of one paste: more of them in a row are those of another file, which was joined to this one. */
const pastedDaysMax = 5;

interface Heading<Day> {
  readonly line: number;
  readonly day: Day;
  /** What the next line is that is not empty. */
  next: string;
  /** The first time below it is before the last one above it, or there is none above it. */
  isBack: boolean;
}

/** Finds the headings of days that are none. Memory: some 100 bytes for each heading. */
export class DayHeadings<Day> {
  readonly #headings: Heading<Day>[] = [];
  #below: Heading<Day> | undefined;
  #isDirectlyBelow = false;
  #lastOfDayMs: number | undefined;

  add(line: number, day: Day): void {
    this.other('day');
    if (this.#headings.length >= headingsMax) return;
    this.#below = { line, day, next: 'end', isBack: false };
    this.#headings.push(this.#below);
    this.#isDirectlyBelow = true;
  }

  /** A line that begins a message. */
  row(kind: string, ofDayMs: number): void {
    this.other(kind);
    if (this.#below) this.#below.isBack = this.#lastOfDayMs === undefined || ofDayMs < this.#lastOfDayMs;
    this.#below = undefined;
    this.#lastOfDayMs = ofDayMs;
  }

  /** Any other line that is not empty. */
  other(kind: string): void {
    if (this.#below && this.#isDirectlyBelow) this.#below.next = kind;
    this.#isDirectlyBelow = false;
  }

  /**
   * The lines that are a part of a text.
   *
   * @param dayMs Midnight; undefined for a day that does not exist.
   * @param begins Whether a line of this kind is below a heading: `day`, `end`, or one that was passed to `row` or `other`.
   */
  decide(dayMs: (day: Day) => number | undefined, begins: (kind: string) => boolean): ReadonlySet<number> {
    const headings = this.#headings.filter(({ next, isBack }) => begins(next) || isBack);
    const days = headings.flatMap(({ line, day }) => ({ line, ms: dayMs(day) }));
    const dated = days.filter((day): day is { line: number; ms: number } => day.ms !== undefined);
    const kept = new Set([...days.filter(({ ms }) => ms === undefined), ...keepForward(dated)].map(({ line }) => line));
    return new Set(this.#headings.flatMap(({ line }) => (kept.has(line) ? [] : line)));
  }
}

/**
 * The longest list of days that go forward, from the first day on; of several that of the earliest days, for who writes a date means a later
 * one. Other days stay where many of them follow each other.
 */
function keepForward<Dated extends { readonly ms: number }>(days: readonly Dated[]): readonly Dated[] {
  /** The last day of the list of each length, and the day before each. */
  const tails: number[] = [];
  const before = new Map<number, number | undefined>();
  for (const [at, { ms }] of days.entries()) {
    if (at > 0 && ms <= days[0]!.ms) continue;
    const length = countBelow(tails, (tail) => days[tail]!.ms < ms);
    before.set(at, tails[length - 1]);
    tails[length] = at;
  }
  const chain = new Set<number>();
  for (let at = tails.at(-1); at !== undefined; at = before.get(at)) chain.add(at);
  const kept: Dated[] = [];
  let others: Dated[] = [];
  for (const [at, day] of days.entries()) {
    if (!chain.has(at)) others.push(day);
    else {
      kept.push(...(others.length > pastedDaysMax ? others : []), day);
      others = [];
    }
  }
  return [...kept, ...(others.length > pastedDaysMax ? others : [])];
}

/** How many of sorted values come first; all of them fulfil the condition. */
function countBelow(sorted: readonly number[], isBelow: (value: number) => boolean): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isBelow(sorted[middle]!)) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Whether a line is earlier than the one above it, and not only because a clock was put back in the night. */
export const isBack = (lastMs: number, ms: number): boolean =>
  ms < lastMs && !(lastMs - ms <= hourMs && lastMs % dayLengthMs < nightEndMs);
const hourMs = 3_600_000;
const dayLengthMs = 24 * hourMs;
const nightEndMs = 4 * hourMs;

/** Lines that are looked at together: a day, or a part of it. */
const heldMax = 20_000;
/** Messages of one paste, and how far it is looked for their end. */
const pastedMax = 100;
const lookedMax = 1000;

interface PastedLine {
  readonly pasted?: string;
}

export interface DayLines<Line> {
  /** Numbers of lines that look like headings, and are a part of a text. */
  readonly textHeadings: ReadonlySet<number>;
  numberOf(line: Line): number;
  /** Time of day of a line that begins a message, in ms. */
  timeOf(line: Line): number | undefined;
  isDay(line: Line): boolean;
  asText(line: Line, pasted: 'heading' | 'message'): Line;
}

/**
 * The lines of a log with headings of days, in the same order: those that begin a message at a time before the one above, or ahead of later
 * ones of the day, are made texts.
 */
export async function* inOrder<Line extends PastedLine>(
  lists: AsyncIterable<readonly Line[]>,
  day: DayLines<Line>,
): AsyncGenerator<readonly Line[]> {
  let held: Line[] = [];
  for await (const lines of lists) {
    const ready: Line[] = [];
    for (const found of lines) {
      const line = day.textHeadings.has(day.numberOf(found)) ? day.asText(found, 'heading') : found;
      if (day.isDay(line) || held.length >= heldMax) {
        ready.push(...orderDay(held, day));
        held = [];
      }
      held.push(line);
    }
    yield ready;
  }
  yield orderDay(held, day);
}

interface Row {
  readonly at: number;
  readonly ms: number;
  /** The line above it is a heading that is a part of a text. */
  readonly isBelowText: boolean;
}

function orderDay<Line extends PastedLine>(
  lines: readonly Line[],
  { timeOf, asText }: DayLines<Line>,
): readonly Line[] {
  const rows: Row[] = [];
  let isBelowText = false;
  let isForward = true;
  for (let at = 0; at < lines.length; at += 1) {
    const ms = timeOf(lines[at]!);
    if (ms !== undefined) {
      isForward &&= rows.length === 0 || !isBack(rows.at(-1)!.ms, ms);
      rows.push({ at, ms, isBelowText });
    }
    isBelowText = lines[at]!.pasted === 'heading';
  }
  if (isForward) return lines;
  const pasted = findPasted(rows);
  return lines.map((line, at) => (pasted.has(at) ? asText(line, 'message') : line));
}

/** Rows that go back until the time above is reached again, or those above that were ahead of all that follow. */
function findPasted(rows: readonly Row[]): ReadonlySet<number> {
  const pasted = new Set<number>();
  let kept: Row[] = [];
  for (let at = 0; at < rows.length; ) {
    const row = rows[at]!;
    const last = kept.at(-1);
    let end = at;
    while (last && end < rows.length && end - at < lookedMax && isBack(last.ms, rows[end]!.ms)) end += 1;
    const back = end - at;
    let ahead = 0;
    while (back > 0 && ahead < kept.length && isBack(kept.at(-1 - ahead)!.ms, row.ms)) ahead += 1;
    const hasReturn = end < rows.length && back <= pastedMax;
    const isAhead = kept[kept.length - ahead]?.isBelowText || (!hasReturn && ahead < back);
    if (back === 0) kept.push(rows[at++]!);
    else if (isAhead && ahead < kept.length && ahead <= pastedMax)
      for (const { at: line } of kept.splice(-ahead)) pasted.add(line);
    else if (back <= pastedMax) for (; at < end; at += 1) pasted.add(rows[at]!.at);
    // The log itself goes back.
    else kept = [rows[at++]!];
  }
  return pasted;
}
