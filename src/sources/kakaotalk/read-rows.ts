import type { ExportInput } from '../../io/input/export-input.ts';
import type { Location } from '../../lib/text/location.ts';
import { headText } from '../kit/files/file-bytes.ts';
import { readCsvTable } from '../kit/rows/csv-table.ts';
import { readTextLines, type TextLine } from '../kit/rows/text-lines.ts';
import { timeReader } from '../kit/time/time-reading.ts';
import { isTableHead, type KakaoLine, readLine } from './format.ts';
import type { KnownNames } from './known-names.ts';
import { eventIn, isDeleted } from './words.ts';

/** A line of a text, or a row of a table. */
export interface FoundLine {
  readonly location: Location;
  readonly line: KakaoLine;
  readonly text: string;
  readonly fault?: TextLine['fault'];
  /** Why a row of a table cannot be read. */
  readonly broken?: string;
}

/** The lines of a chat, whichever way it was exported, in lists. @throws SourceError */
export async function* rowsIn(
  input: ExportInput,
  path: string,
  names: KnownNames,
): AsyncGenerator<readonly FoundLine[]> {
  const head = await headText(input, path, 200);
  if (isTableHead(head.split(/\r?\n/)[0] ?? '')) yield* tableRows(input, path);
  else yield* textRows(input, path, names);
}

async function* textRows(input: ExportInput, path: string, names: KnownNames): AsyncGenerator<readonly FoundLine[]> {
  for await (const lines of readTextLines(input, path))
    yield lines.map(({ line, text, fault }) => {
      // Some phones end lines with two marks.
      const words = text.replace(/\r$/, '');
      return { location: { path, line }, line: readLine(words, names), text: words, ...(fault && { fault }) };
    });
}

const wallTime = timeReader('yyyy-MM-dd HH:mm:ss', 'UTC');

async function* tableRows(input: ExportInput, path: string): AsyncGenerator<readonly FoundLine[]> {
  for await (const rows of readCsvTable(input, path))
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
