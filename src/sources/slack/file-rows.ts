import type { ExportInput } from '../../io/input/export-input.ts';
import { SourceError } from '../../lib/errors.ts';
import type { Location } from '../../lib/text/location.ts';
import { expectFiles, type ExpectedFile } from '../kit/files/expected-files.ts';
import { unreadableReason } from '../kit/files/read-files.ts';
import { type ArrayFault, readArrayFile } from '../kit/rows/json-array.ts';
import { readJsonRows } from '../kit/rows/json-rows.ts';

/** A row of a file, before anybody looked at it. */
export interface FileRow {
  readonly value: unknown;
  readonly location: Location;
}

/** Some rows of a file, in order, and what cannot be read behind them. */
interface FileRows {
  readonly rows: readonly FileRow[];
  readonly fault?: ArrayFault | undefined;
}

/** The rows of a file: the array that a file of an export is, or the lines of one that `chatferry fetch` wrote. Nothing is thrown. */
export async function* rowsInFile(input: ExportInput, path: string): AsyncGenerator<FileRows> {
  if (path.endsWith('.ndjson')) yield* rowsInLines(input, path);
  else {
    for await (const { firstIndex, values, fault } of readArrayFile(input, path)) {
      const rows = values.map((value, index) => ({ value, location: { path, pointer: `/${firstIndex + index}` } }));
      yield { rows, fault };
    }
  }
}

/** Rows are objects; members are ids. */
const jsonLines: ExpectedFile = { what: 'lines of JSON', begins: /^\s*["[{]/m };

async function* rowsInLines(input: ExportInput, path: string): AsyncGenerator<FileRows> {
  let hasBegun = false;
  try {
    for await (const found of readJsonRows(expectFiles(input, () => jsonLines).open(path), path, { layout: 'lines' })) {
      let rows: FileRow[] = [];
      for (const { value, location, fault } of found) {
        hasBegun = true;
        if (fault === undefined) rows.push({ value, location });
        else {
          yield { rows, fault: { code: fault.code, reason: fault.reason, location } };
          rows = [];
        }
      }
      yield { rows };
    }
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    yield {
      rows: [],
      fault: { code: 'unreadable-file', reason: unreadableReason(error, hasBegun), location: { path } },
    };
  }
}
