import type { ExportInput } from '../../io/input/export-input.ts';
import { DayHeadings, inOrder } from '../kit/rows/log-order.ts';
import { readTextLines, untilUnreadable } from '../kit/rows/text-lines.ts';
import { type DateOrder, type FoundLine, type LineOfChat, readLine, type SlashedDay, slashedMs } from './format.ts';
import { QuotedTexts } from './quoted-texts.ts';

/** The lines of a chat, in lists. @throws SourceError */
async function* linesIn(input: ExportInput, path: string): AsyncGenerator<readonly FoundLine[]> {
  const quotes = new QuotedTexts();
  for await (const lines of readTextLines(input, path)) {
    const ready: FoundLine[] = [];
    for (const line of lines) {
      const text = line.text.replace(/\r$/, '');
      quotes.add({ ...line, text, found: readLine(text) }, ready);
    }
    yield ready;
  }
  const ready: FoundLine[] = [];
  quotes.end(ready);
  yield ready;
}

/** The lines of a chat, in which those of pasted texts begin nothing. @throws SourceError */
export const orderedLines = (input: ExportInput, path: string, survey: Survey): AsyncIterable<readonly FoundLine[]> =>
  inOrder(linesIn(input, path), {
    textHeadings: survey.textHeadings,
    numberOf: ({ line }) => line,
    timeOf: ({ found }) => {
      const isBeginning = survey.hasColumns ? found.kind === 'columns' : found.kind === 'spaced';
      return isBeginning && 'ofDayMs' in found ? found.ofDayMs : undefined;
    },
    isDay: ({ found }) => isDay(found),
    asText: (line, pasted) => ({ ...line, found: { kind: 'other' }, pasted }),
  });

export const isDay = ({ kind }: LineOfChat): boolean => kind === 'day' || kind === 'slashed-day';

/** What only the whole file says. */
export interface Survey {
  /** Names and texts are in columns: a time and one space begin nothing. */
  readonly hasColumns: boolean;
  readonly order: DateOrder;
  /** Day and month cannot be told apart. */
  readonly isOrderOpen: boolean;
  /** At most `authorsMax`. */
  readonly authors: ReadonlySet<string>;
  /** Numbers of lines that look like headings, and are a part of a text. */
  readonly textHeadings: ReadonlySet<number>;
}

/** Authors that tell a chat of two from a group. */
const authorsMax = 3;

/** Reads the file once. Memory: some numbers and names, and those of days. @param dates Their order, if it is known. */
export async function surveyChat(input: ExportInput, path: string, dates: DateOrder | 'as-evident'): Promise<Survey> {
  const authors = new Set<string>();
  const days = new DayEvidence();
  const columns = new ColumnEvidence();
  const headings = new DayHeadings<LineOfChat>();
  for await (const lines of untilUnreadable(linesIn(input, path)))
    for (const { found, line, text } of lines) {
      if (isDay(found)) headings.add(line, found);
      else if ('ofDayMs' in found) headings.row(found.kind, found.ofDayMs);
      else if (text.trim() !== '') headings.other(found.kind);
      if (found.kind === 'slashed-day') days.add(found.day);
      columns.add(found);
      if (found.kind === 'columns' && found.author !== undefined && authors.size < authorsMax)
        authors.add(found.author);
    }
  const hasColumns = columns.decide();
  const evident = days.decide();
  const order = dates === 'as-evident' ? evident.order : dates;
  const textHeadings = headings.decide(
    (day) => dayMs(day, order),
    (kind) => kind !== 'other' && (kind !== 'spaced' || !hasColumns),
  );
  return { hasColumns, authors: hasColumns ? authors : new Set(), ...evident, order, textHeadings };
}

/** Midnight; undefined for a day that does not exist. */
export const dayMs = (found: LineOfChat, order: DateOrder): number | undefined =>
  found.kind === 'day' ? found.localMs : found.kind === 'slashed-day' ? slashedMs(found.day, order) : undefined;

/** Whether a file has columns. A line directly below a day begins a message: lines of texts may begin with a time too. */
class ColumnEvidence {
  #isBelowDay = false;
  #balance = 0;
  #hasAny = false;

  add(found: LineOfChat): void {
    if (found.kind === 'other') return;
    const isColumns = found.kind === 'columns';
    this.#hasAny ||= isColumns;
    // Two spaces without a name are those of a line of the app, in files of both kinds.
    const isEvident = found.kind === 'spaced' || (isColumns && found.author !== undefined);
    if (this.#isBelowDay && isEvident) this.#balance += isColumns ? 1 : -1;
    this.#isBelowDay = found.kind === 'day' || found.kind === 'slashed-day';
  }

  decide(): boolean {
    return this.#balance > 0 || (this.#balance === 0 && this.#hasAny);
  }
}

/** Which number of a file's days is the day: under the right reading each exists, and has its day of the week. */
class DayEvidence {
  readonly #faults: Record<DateOrder, number> = { 'day-first': 0, 'month-first': 0 };
  #hasDifference = false;

  add(day: SlashedDay): void {
    this.#hasDifference ||= day.numbers[0] !== day.numbers[1];
    for (const order of ['day-first', 'month-first'] as const) {
      const ms = slashedMs(day, order);
      const isRight = ms !== undefined && (day.weekday === undefined || new Date(ms).getUTCDay() === day.weekday);
      if (!isRight) this.#faults[order] += 1;
    }
  }

  decide(): Pick<Survey, 'order' | 'isOrderOpen'> {
    const { 'day-first': day, 'month-first': month } = this.#faults;
    return { order: month < day ? 'month-first' : 'day-first', isOrderOpen: this.#hasDifference && day === month };
  }
}
