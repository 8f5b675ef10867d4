import type { ExportInput } from '../../io/input/export-input.ts';
import type { Location } from '../../lib/text/location.ts';
import { headText } from '../kit/files/file-bytes.ts';
import { readCsvTable } from '../kit/rows/csv-table.ts';
import { DayHeadings, inOrder } from '../kit/rows/log-order.ts';
import { readTextLines, type TextLine, untilUnreadable } from '../kit/rows/text-lines.ts';
import { timeReader } from '../kit/time/time-reading.ts';
import { isTableHead, type KakaoLine, readLine } from './format.ts';
import type { KnownNames } from './known-names.ts';
import { eventIn, isDeleted, isEventLine } from './words.ts';

/** A line of a text, or a row of a table. */
export interface FoundLine {
  readonly location: Location;
  readonly line: KakaoLine;
  readonly text: string;
  readonly fault?: TextLine['fault'];
  /** It looks like a heading or a beginning, and is a part of a text: why. */
  readonly pasted?: 'heading' | 'message' | 'form';
  /** Why a row of a table cannot be read. */
  readonly broken?: string;
}

/** The lines of a chat, whichever way it was exported, in lists. Those of pasted texts begin nothing. @throws SourceError */
export async function* rowsIn(
  input: ExportInput,
  path: string,
  names: KnownNames,
): AsyncGenerator<readonly FoundLine[]> {
  const head = (await headText(input, path, 16 * 1024)).split(/\r?\n/);
  if (isTableHead(head[0] ?? '')) yield* tableRows(input, path);
  else if (head.some((line) => isDashedDay(line)))
    yield* inOrder(textRows(input, path, names), {
      textHeadings: await textHeadings(input, path),
      numberOf: ({ location }) => location.line!,
      timeOf: ({ line }) => (line.kind === 'timed' ? line.ofDayMs : undefined),
      isDay: ({ line, text }) => line.kind === 'day' && isDashed(text),
      asText,
    });
  else yield* aboveRows(textRows(input, path, names));
}

const isDashed = (text: string): boolean => text.startsWith('-----');
const isDashedDay = (text: string): boolean => isDashed(text) && readLine(text.trimEnd()).kind === 'day';

const asText = (line: FoundLine, pasted: FoundLine['pasted']): FoundLine => ({
  ...line,
  line: { kind: 'other' },
  ...(pasted && { pasted }),
});

/** Reads the file of a computer once. @returns the numbers of lines that look like headings, and are a part of a text. */
async function textHeadings(input: ExportInput, path: string): Promise<ReadonlySet<number>> {
  const headings = new DayHeadings<number | undefined>();
  /** Only the rows next to a heading are read. */
  let above: string | undefined;
  let isBelow = false;
  const addRow = (text: string) => {
    const row = readLine(text);
    if (row.kind === 'timed') headings.row('timed', row.ofDayMs);
    return row.kind === 'timed';
  };
  for await (const lines of untilUnreadable(readTextLines(input, path)))
    for (const { line, text } of lines) {
      const day = isDashed(text) ? readLine(text.trimEnd()) : undefined;
      if (day?.kind === 'day') {
        if (above !== undefined) addRow(above);
        headings.add(line, day.localMs);
        isBelow = true;
        above = undefined;
      } else if (!isBelow) above = text.startsWith('[') ? text : above;
      else if (text.startsWith('[') && addRow(text)) isBelow = false;
      else if (text.trim() !== '') headings.other(isEventLine(text) ? 'event' : 'other');
    }
  return headings.decide(
    (ms) => ms,
    (kind) => kind !== 'other',
  );
}

/** Lines of a phone, on which a heading is above a message of its day. */
async function* aboveRows(lists: AsyncIterable<readonly FoundLine[]>): AsyncGenerator<readonly FoundLine[]> {
  /** A heading, and empty lines below it. */
  let held: FoundLine[] = [];
  for await (const lines of lists) {
    const ready: FoundLine[] = [];
    for (const found of lines) {
      const { line, text } = found;
      if (held.length > 0 && text.trim() === '') {
        held.push(found);
        continue;
      }
      ready.push(...settle(held, line));
      held = line.kind === 'day' ? [found] : [];
      if (held.length === 0) ready.push(found);
    }
    yield ready;
  }
  yield held;
}

const dayMs = 86_400_000;

/** @param below The line below a heading. */
function settle(held: readonly FoundLine[], below: KakaoLine): readonly FoundLine[] {
  const [heading, ...others] = held;
  if (heading === undefined) return [];
  const { line } = heading;
  const isOfDay = (a: number | undefined, b: number) =>
    a !== undefined && Math.floor(a / dayMs) === Math.floor(b / dayMs);
  const isHeading =
    below.kind === 'day' ||
    below.kind === 'bad' ||
    (line.kind === 'day' && below.kind === 'row' && isOfDay(line.localMs, below.localMs));
  return [isHeading ? heading : asText(heading, 'heading'), ...others];
}

async function* textRows(input: ExportInput, path: string, names: KnownNames): AsyncGenerator<readonly FoundLine[]> {
  let form: number | undefined;
  let otherCount = 0;
  for await (const lines of readTextLines(input, path))
    yield lines.map(({ line, text, fault }): FoundLine => {
      // Some phones end lines with two marks.
      const words = text.replace(/\r$/, '');
      const found = { location: { path, line }, line: readLine(words, names), text: words, ...(fault && { fault }) };
      if (!beginnings.has(found.line.kind)) return found;
      const own = formOf(words);
      otherCount = own === form ? 0 : otherCount + 1;
      // So many are those of another file, which was joined to this one.
      if (form === undefined || otherCount > pastedMax) form = own;
      return own === form ? found : asText(found, 'form');
    });
}

/** Messages of one paste. */
const pastedMax = 20;

const beginnings: ReadonlySet<KakaoLine['kind']> = new Set(['row', 'timed', 'bad']);

/** How devices write the beginnings of messages: a file has one form, and those of pasted texts. */
const forms: readonly RegExp[] = [/^\[/, /^\d{4}년/, /^\d{4}\./, /^\d{1,2}:/];

/** A month in words is the only other one. */
const formOf = (text: string): number => forms.findIndex((form) => form.test(text));

const wallTime = timeReader('yyyy-MM-dd HH:mm:ss', 'UTC');

async function* tableRows(input: ExportInput, path: string): AsyncGenerator<readonly FoundLine[]> {
  for await (const rows of readCsvTable(input, path, (name) => /^(?:Date|User|Message)$/.test(name)))
    yield rows.map(({ location, cell, fault }): FoundLine => {
      if (fault !== undefined) return { location, line: { kind: 'other' }, text: '', broken: fault };
      const [time, user, text = ''] = [wallTime(cell('Date') ?? ''), cell('User'), cell('Message')];
      if (!cell('Date') && !user && (isDeleted(text) || eventIn(text) !== undefined))
        return { location, line: { kind: 'untimed' }, text };
      if (!time) return { location, line: { kind: 'bad' }, text };
      // A line of the app has the name of who did it, and begins with it.
      const isEvent = user !== undefined && text.startsWith(user) && eventIn(text) !== undefined;
      return { location, line: { kind: 'row', localMs: time.atMs, author: isEvent ? undefined : user, text }, text };
    });
}
