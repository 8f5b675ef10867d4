import type { ExportInput } from '../../../io/input/export-input.ts';
import { compactJson } from '../../../io/json/compact-json.ts';
import { SourceError } from '../../../lib/errors.ts';
import { type JsonOutline, OutlineReader } from './json-outline.ts';

/** A mail with images in its text has some megabytes. */
const bytesMax = 16 * 1024 * 1024;
/** A text with more objects than these is no single long row. */
const objectsMax = 1000;

/**
 * The outline of a file up to the end of its first row, however long that is: the keys that tell a format may be behind a text of megabytes.
 * Reads no more than 16 MiB, and never throws.
 *
 * Memory: the outline, and a chunk.
 *
 * @returns undefined if the first row ends within `head`.
 */
export async function outlineToFirstRow(
  input: ExportInput,
  path: string,
  { head, encoding }: { readonly head: string; readonly encoding: string },
): Promise<JsonOutline | undefined> {
  const row = new FirstRow();
  row.push(head);
  if (row.isOver) return undefined;
  const [reader, decoder] = [new OutlineReader(), new TextDecoder(encoding)];
  const whole = new FirstRow();
  let byteCount = 0;
  try {
    for await (const chunk of compactJson(input.open(path))) {
      const piece = decoder.decode(chunk, { stream: true });
      reader.push(piece);
      whole.push(piece);
      byteCount += chunk.length;
      // The head is in these chunks as well.
      if (byteCount > head.length && (whole.isOver || byteCount >= bytesMax)) break;
    }
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
  }
  reader.end();
  return reader.outline;
}

/** Follows the brackets of a text of JSON that comes piece by piece. */
class FirstRow {
  /** Open brackets, with the number of objects that ended directly in each. */
  readonly #open: { readonly isList: boolean; objectCount: number }[] = [];
  #topCount = 0;
  #objectCount = 0;
  #isText = false;
  #isEscaped = false;

  /** The text so far holds a whole row of the list that it ends in, or a whole object if it ends in no list. */
  get isOver(): boolean {
    if (this.#topCount > 0 || this.#objectCount > objectsMax || this.#open.length === 0) return true;
    return (this.#open.find(({ isList }) => isList)?.objectCount ?? 0) > 0;
  }

  push(piece: string): void {
    const marks = /["\\[\]{}]/g;
    let at = 0;
    while (at < piece.length) {
      if (this.#isText) at = this.#behindText(piece, at);
      else {
        marks.lastIndex = at;
        const found = marks.exec(piece);
        if (found === null) return;
        at = marks.lastIndex;
        this.#take(found[0]);
      }
    }
  }

  #behindText(piece: string, from: number): number {
    const marks = /["\\]/g;
    marks.lastIndex = this.#isEscaped ? from + 1 : from;
    this.#isEscaped = false;
    for (let found = marks.exec(piece); found !== null; found = marks.exec(piece)) {
      if (found[0] === '"') {
        this.#isText = false;
        return marks.lastIndex;
      }
      marks.lastIndex += 1;
      this.#isEscaped = marks.lastIndex > piece.length;
    }
    return piece.length;
  }

  #take(mark: string): void {
    if (mark === '"') this.#isText = true;
    else if (mark === '{' || mark === '[') this.#open.push({ isList: mark === '[', objectCount: 0 });
    else if (mark === '}' || mark === ']') {
      this.#open.pop();
      const around = this.#open.at(-1);
      if (mark === ']') return;
      this.#objectCount += 1;
      if (around) around.objectCount += 1;
      else this.#topCount += 1;
    }
  }
}
