import { asBuffer } from '../../../io/bytes.ts';
import type { ExportInput } from '../../../io/input/export-input.ts';

/** Characters of the end of a file that are looked at. */
const tailLength = 4096;

const value = String.raw`"[^"\\]{0,1000}"|-?[\d.]{1,30}|true|false|null`;
const fieldPattern = (values: string) => String.raw`\s*"[^"\\]{1,80}"\s*:\s*(?:${values})\s*`;
/** Each space belongs to one place of the pattern alone: a text that almost fits is not tried in ever more ways. */
const objectPattern = (fields: string) => String.raw`\{(?:${fields}(?:,${fields}){0,20}|\s*)\}`;
const flat = fieldPattern(value);
/** An object of texts and numbers: `"response_metadata": {"next_cursor": "bmV4dA=="}`; also one in another: `"links": {"next": {"href": "…"}}`. */
const field = fieldPattern(`${value}|${objectPattern(fieldPattern(`${value}|${objectPattern(flat)}`))}`);
const fieldsAtEnd = new RegExp(String.raw`[\]}]\s*((?:,${field}){1,20})\}\s*$`);

/** The key of DynamoDB at which an answer ends: an object of objects. */
const lastKey = /"LastEvaluatedKey"\s*:\s*\{/;

/** HubSpot's, an object of an object: `"paging": {"next": {"after": "MQ"}}`. */
const nextPage = /"paging"\s*:\s*(\{\s*"next"\s*:\s*\{[^{}]{0,2000}\}\s*\})[^[\]{}]{0,500}\}\s*$/;

/** Returns the field of this name after the last list of a text, which is the end of a file or all of it. */
export function fieldBehindIn(text: string, key: string): unknown {
  if (key === 'LastEvaluatedKey') return lastKey.test(text.slice(-tailLength)) ? {} : undefined;
  const tail = text.slice(-tailLength);
  const paging = key === 'paging' ? nextPage.exec(tail)?.[1] : undefined;
  const fields = paging === undefined ? fieldsAtEnd.exec(tail)?.[1] : `,"paging":${paging}`;
  if (fields === undefined) return undefined;
  try {
    return (JSON.parse(`{${fields.slice(1)}}`) as Record<string, unknown>)[key];
  } catch {
    // No JSON: what reads the rows says so.
    return undefined;
  }
}

/**
 * The texts and numbers, and objects of them, that are behind the last list of a file, or behind what is around it: `{"messages": […], "messageCount": 7}`. The file is read once, by
 * the code that reads its rows.
 *
 *     const behind = new FieldsBehind();
 *     yield* readJsonEntries(behind.watch(input), path, …);
 *     behind.get('messageCount')
 */
export class FieldsBehind {
  readonly #end = new FileEnd(tailLength);

  watch(input: Pick<ExportInput, 'open'>): Pick<ExportInput, 'open'> {
    return { open: (path) => this.#watched(input.open(path)) };
  }

  /** Reading ends with the list: what is left is small, and is read too. */
  async *#watched(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    const iterator = chunks[Symbol.asyncIterator]();
    try {
      for (let next = await iterator.next(); !next.done; next = await iterator.next()) {
        this.#end.push(next.value);
        yield next.value;
      }
    } finally {
      if (!fieldsAtEnd.test(this.#end.text)) {
        const next = await iterator.next().catch(() => undefined);
        if (next && !next.done) this.#end.push(next.value);
      }
      await iterator.return?.();
    }
  }

  /** Returns undefined if there is no field of this name. Call it after the rows were read. */
  get(key: string): unknown {
    return fieldBehindIn(this.#end.text, key);
  }
}

/** The last characters of a text that comes in chunks, as Latin-1. How far its lines are indented does not count. */
export class FileEnd {
  text = '';
  readonly #length: number;

  constructor(length: number) {
    this.#length = length;
  }

  push(chunk: Uint8Array): void {
    const end = withoutIndents(chunk.subarray(-2 * this.#length));
    const isEnough = end.length >= this.#length || 2 * this.#length >= chunk.length;
    this.text = (this.text + (isEnough ? end : withoutIndents(chunk))).slice(-this.#length);
  }
}

const withoutIndents = (bytes: Uint8Array): string =>
  asBuffer(bytes)
    .toString('latin1')
    .replace(/\n[ \t\r\n]+/g, '\n');
