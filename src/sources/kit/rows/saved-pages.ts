import type { ExportInput } from '../../../io/input/export-input.ts';
import type { Entry } from '../../../model/entry.ts';
import { partialEntry } from '../entries.ts';
import { headOrNothing } from '../files/file-bytes.ts';
import { asObject } from '../narrow.ts';
import { FieldsBehind, fieldBehindIn } from './fields-behind.ts';
import { type JsonFile, readJsonEntries } from './json-entries.ts';
import type { JsonRowsAt } from './json-rows.ts';

/** A page that is larger is not looked at: it may be the last one. */
const pageBytesMax = 2 ** 20;

/** Looks up a field next to the list of a page. */
export type PageField = (key: string) => unknown;

/**
 * Pages of one list, each in a file of its own: `users-1.json`, `users-2.json`. They are of one list if their paths differ in the last
 * number alone. If every page says that more follows, the last page was not saved.
 *
 * Other pages are read, up to 1 MiB of each, only if a page says that more follows.
 */
export class SavedPages {
  readonly #input: ExportInput;
  readonly #saysMore: (field: PageField) => string | undefined;
  readonly #unfinished = new Map<string, Promise<string | undefined>>();
  #pagesOf: Promise<Map<string, string[]>> | undefined;

  /** @param saysMore In which words the fields of a page say that more follows: `"has_more" is true`. */
  constructor(input: ExportInput, saysMore: (field: PageField) => string | undefined) {
    this.#input = input;
    this.#saysMore = saysMore;
  }

  /** Reads the rows of a page; says what is missing behind it. A file of lines is no page. */
  async *read(path: string, at: JsonRowsAt, file: JsonFile): AsyncGenerator<readonly Entry[]> {
    const behind = new FieldsBehind();
    yield* readJsonEntries(behind.watch(this.#input), path, at, file);
    if (at.layout === 'list') yield await this.missingAfter(path, behind);
  }

  /** @param behind The fields of this page, once its rows were read. @returns what is missing behind it. */
  async missingAfter(path: string, behind: FieldsBehind): Promise<readonly Entry[]> {
    const front = await this.#head(path, frontBytes);
    const words = this.#saysMore((key) => behind.get(key) ?? fieldBeforeIn(front, key));
    if (words === undefined) return [];
    const list = listOf(path);
    const known = this.#unfinished.get(list) ?? this.#lastOpenPage(list, path);
    this.#unfinished.set(list, known);
    return (await known) === path
      ? [partialEntry(`${words}: more follows, and no page of the export is the last one`, { path })]
      : [];
  }

  async #lastOpenPage(list: string, page: string): Promise<string | undefined> {
    this.#pagesOf ??= this.#input.paths().then((paths) => Map.groupBy(paths, listOf));
    const pages = (await this.#pagesOf).get(list) ?? [];
    for (const path of pages) if (path !== page && (await this.#mayBeLast(path))) return undefined;
    return pages.at(-1);
  }

  async #mayBeLast(path: string): Promise<boolean> {
    const text = await this.#head(path, pageBytesMax);
    return (
      text.length >= pageBytesMax ||
      this.#saysMore((key) => fieldBehindIn(text, key) ?? fieldBeforeIn(text, key)) === undefined
    );
  }

  async #head(path: string, byteCount: number): Promise<string> {
    return Buffer.from(await headOrNothing(this.#input, path, byteCount)).toString('latin1');
  }
}

const listOf = (path: string): string => path.replace(/\d+(?=\D*$)/, '#');

const frontBytes = 4096;
/** The text is decoded as Latin-1: a byte order mark is three characters. */
const front = /^(?:\u00ef\u00bb\u00bf)?\s{0,100}\{([^[\]{}]{0,4000}),\s{0,100}"[^"\\]{1,200}"\s{0,20}:\s{0,20}[[{]/;

/** The field of this name before the first list or object of a text. */
function fieldBeforeIn(text: string, key: string): unknown {
  const fields = front.exec(text.slice(0, frontBytes))?.[1];
  if (fields === undefined) return undefined;
  try {
    return (JSON.parse(`{${fields}}`) as Record<string, unknown>)[key];
  } catch {
    return undefined;
  }
}

const isToken = (value: unknown): value is string | number =>
  (typeof value === 'string' && value !== '') || (typeof value === 'number' && value > 0);

const holders = ['', 'response_metadata', 'meta', 'pagination', 'paging', 'page_info', 'pageInfo'];
const flags = ['has_more', 'hasMore', 'has_next', 'hasNext', 'has_next_page', 'hasNextPage'];
const tokens = [
  ...['next', 'next_cursor', 'nextCursor', 'next_page', 'nextPage', 'next_page_token', 'nextPageToken'],
  ...['next_token', 'nextToken', 'NextToken', 'next_url', 'nextUrl', 'nextLink', '@odata.nextLink'],
];

/** Words by which answers of most services say that more follows; one that says "has_more" is believed, whatever cursor it has. */
export function commonWordsForMore(field: PageField): string | undefined {
  const valueAt = (holder: string, key: string) =>
    holder === '' ? field(key) : (field(holder) as Record<string, unknown> | null | undefined)?.[key];
  const all = (keys: readonly string[]) =>
    holders.flatMap((holder) => keys.map((key) => [key, valueAt(holder, key)] as const));
  const said = all(flags).find(([, value]) => typeof value === 'boolean');
  if (said) return said[1] === true ? `"${said[0]}" is true` : undefined;
  const last = field('LastEvaluatedKey');
  if (typeof last === 'object' && last !== null) return '"LastEvaluatedKey" is there';
  const token = all(tokens)
    .map(([key, value]) => [key, asObject<{ after: unknown }>(value)?.after ?? value] as const)
    .find(([, value]) => isToken(value));
  return token && `"${token[0]}" is ${JSON.stringify(token[1]).slice(0, 80)}`;
}
