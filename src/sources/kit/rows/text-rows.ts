import type { ExportInput } from '../../../io/input/export-input.ts';
import type { Location } from '../../../lib/text/location.ts';
import type { Entry } from '../../../model/entry.ts';
import { invalidEntry, type RowProblem } from '../entries.ts';
import { invalidRow } from './row-boundary.ts';
import type { RowNotes } from './row-notes.ts';
import { lineProblem, readTextLines, type TextLinesOptions } from './text-lines.ts';

/** Handlers for the lines of a file. */
export interface TextRows extends Pick<TextLinesOptions, 'encoding' | 'otherwise' | 'lineBytesMax'> {
  /** Conversation of the lines, for invalid rows. */
  readonly conversation: string;
  /** Problems of which the file may have many; ended with the file. */
  readonly notes: RowNotes;
  /**
   * Yields the entries of a line; none if it is not a row.
   *
   * @returns why it cannot be read: then it is an invalid row.
   */
  row(text: string, location: Location, into: Entry[]): RowProblem | undefined;
  /** Called after the last line, if rows may span several lines: yields the held row. Not called if the file cannot be read to its end. */
  end?(into: Entry[]): void;
}

/**
 * The entries of a text file whose lines are rows, a list for each chunk. Lines that are too long are invalid rows; damaged characters
 * and another encoding (`otherwise`) are problems of the file.
 *
 *     read: (path) => readTextRows(input, path, { conversation: room.id, notes, row: (text, at, into) => … })
 *
 * @throws SourceError if the file cannot be read (any further), after everything before it.
 */
export async function* readTextRows(
  input: ExportInput,
  path: string,
  { conversation, notes, row, end, ...options }: TextRows,
): AsyncGenerator<readonly Entry[]> {
  for await (const lines of readTextLines(input, path, options)) {
    const into: Entry[] = [];
    for (const { line, text, fault, isOtherwise } of lines) {
      const location = { path, line };
      const broken = fault && lineProblem(fault);
      if (fault === 'damaged') notes.add(broken!.code, broken!.reason, location, into);
      if (isOtherwise) notes.addOnce('encoding-assumed', otherwiseReason(options.otherwise!), location, into);
      const begin = into.length;
      try {
        const problem = fault === 'too-long' ? broken : row(text, location, into);
        if (problem) into.push(invalidEntry(problem.code, problem.reason, location, conversation));
      } catch (error) {
        invalidRow(error, { into, begin, location, conversation });
      }
    }
    yield into;
  }
  const into: Entry[] = [];
  end?.(into);
  notes.end(path, into);
  yield into;
}

const otherwiseReason = (encoding: string) =>
  `This line is not UTF-8 and is read as ${encoding}, as others of this file may be`;
