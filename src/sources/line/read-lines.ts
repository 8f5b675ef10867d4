import type { ExportInput } from '../../io/input/export-input.ts';
import { SourceError } from '../../lib/errors.ts';
import { readTextLines, type TextLine } from '../kit/rows/text-lines.ts';
import { type DateOrder, type LineOfChat, readLine, type SlashedDay, slashedMs } from './format.ts';

/** A line of the file, and what it is. */
export interface FoundLine extends TextLine {
  readonly found: LineOfChat;
}

/** The lines of a chat, in lists. @throws SourceError */
export async function* linesIn(input: ExportInput, path: string): AsyncGenerator<readonly FoundLine[]> {
  for await (const lines of readTextLines(input, path))
    yield lines.map((line) => {
      const text = line.text.replace(/\r$/, '');
      return { ...line, text, found: readLine(text) };
    });
}

/** What only the whole file says. */
export interface Survey {
  /** Names and texts are in columns: a time and one space begin nothing. */
  readonly hasColumns: boolean;
  readonly order: DateOrder;
  /** Day and month cannot be told apart. */
  readonly isOrderOpen: boolean;
  /** At most `authorsMax`. */
  readonly authors: ReadonlySet<string>;
}

/** Authors that tell a chat of two from a group. */
const authorsMax = 3;

/** Reads the file once. Memory: some numbers and names. */
export async function surveyChat(input: ExportInput, path: string): Promise<Survey> {
  const authors = new Set<string>();
  const days = new DayEvidence();
  const columns = new ColumnEvidence();
  try {
    for await (const lines of linesIn(input, path))
      for (const { found } of lines) {
        if (found.kind === 'slashed-day') days.add(found.day);
        columns.add(found);
        if (found.kind === 'columns' && found.author !== undefined && authors.size < authorsMax)
          authors.add(found.author);
      }
  } catch (error) {
    // Reading it says why.
    if (!(error instanceof SourceError)) throw error;
  }
  const hasColumns = columns.decide();
  return { hasColumns, authors: hasColumns ? authors : new Set(), ...days.decide() };
}

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
