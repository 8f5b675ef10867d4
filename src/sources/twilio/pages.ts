import type { ExportInput } from '../../io/input/export-input.ts';
import type { Entry } from '../../model/entry.ts';
import { partialEntry } from '../kit/entries.ts';
import { headOrNothing } from '../kit/files/file-bytes.ts';
import { asCount, asObject, asString } from '../kit/narrow.ts';
import { type FieldsBehind, fieldBehindIn } from '../kit/rows/fields-behind.ts';
import { twilioLists } from './format.ts';

/** An answer that is larger is not looked at: it may be any page. */
const pageBytesMax = 2 ** 20;

/** Fields that follow the rows of an answer, or come before them. */
interface PageMeta {
  readonly page: number;
  readonly url: string;
  readonly first_page_url: string;
  readonly previous_page_url: string | null;
  readonly next_page_url: string | null;
}

/**
 * Pages of answers: `"meta": {"page": 0, "url": "…/Messages?Page=0", "next_page_url": "…/Messages?Page=1&PageToken=…"}`. A page is
 * known by the path and the number in its address, whatever its file is called, so that the last page of one conversation is not taken for
 * the one that another lacks.
 *
 * Reads up to 1 MiB of each file, if a page says that there are others. In memory: some 150 bytes for each.
 */
export class AnswerPages {
  readonly #input: ExportInput;
  readonly #paths: readonly string[];
  #known: Promise<ReadonlySet<string>> | undefined;

  /** @param paths Files of answers. */
  constructor(input: ExportInput, paths: readonly string[]) {
    this.#input = input;
    this.#paths = paths;
  }

  /** Reports the pages before and after this one that no file has. Call it after its rows were read. */
  async missingAround(path: string, behind: FieldsBehind): Promise<readonly Entry[]> {
    const text = await this.#head(path, pageBytesMax);
    const meta = asObject<PageMeta>(behind.get('meta')) ?? metaIn(text, (key) => behind.get(key));
    const entries: Entry[] = [];
    for (const [key, words] of neighbours) {
      const url = asString(meta?.[key]);
      if (url === undefined) continue;
      this.#known ??= this.#readAll();
      const known = await this.#known;
      if (known.has(pageOf(url)) || known.has(listIn(text)) || known.has(anyPage)) continue;
      const reason = `"${key}" is ${JSON.stringify(url.slice(0, 80))}: ${words}, and no file has that page`;
      entries.push(partialEntry(reason, { path }));
    }
    return entries;
  }

  /** The pages that are there, the lists of answers that do not name their page, and whether a file cannot be read. */
  async #readAll(): Promise<ReadonlySet<string>> {
    const known = new Set<string>();
    for (const path of this.#paths) {
      const text = await this.#head(path, pageBytesMax);
      const meta = metaIn(text);
      const url = asString(meta?.url);
      if (text === '') known.add(anyPage);
      const first = asString(meta?.first_page_url);
      if (url !== undefined) known.add(pageOf(url));
      else if (first !== undefined)
        known.add(meta?.page === undefined ? anyPage : `${pathOf(first)} ${asCount(meta.page)}`);
      else known.add(listIn(text));
    }
    return known;
  }

  async #head(path: string, byteCount: number): Promise<string> {
    return Buffer.from(await headOrNothing(this.#input, path, byteCount)).toString('latin1');
  }
}

/** A file that cannot be read, or ends before it says which page it is, may be any page, and is an invalid one. */
const anyPage = '';

const neighbours = [
  ['previous_page_url', 'others come before'],
  ['next_page_url', 'more follows'],
] as const;

function metaIn(
  text: string,
  behind = (key: string): unknown => fieldBehindIn(text, key),
): Partial<Record<keyof PageMeta, unknown>> | undefined {
  const fieldNamed = (key: string) => behind(key) ?? fieldBefore(text, key);
  const first_page_url = fieldNamed('first_page_uri');
  if (first_page_url !== undefined)
    return {
      ...{ first_page_url, page: fieldNamed('page') },
      ...{ previous_page_url: fieldNamed('previous_page_uri'), next_page_url: fieldNamed('next_page_uri') },
    };
  const front = /^[^{]{0,20}\{\s{0,100}"meta"\s{0,20}:\s{0,20}(\{[^{}]{0,4000}\})/.exec(text)?.[1];
  if (front === undefined) return asObject<PageMeta>(fieldBehindIn(text, 'meta'));
  try {
    return asObject<PageMeta>(JSON.parse(front));
  } catch {
    return undefined;
  }
}

/** A field of the log of text messages, which has them next to its rows: no text holds a quote that is not escaped. */
function fieldBefore(text: string, key: string): unknown {
  const value = new RegExp(String.raw`(?<!\\)"${key}"\s{0,20}:\s{0,20}(\d{1,15}|"[^"\\]{0,2000}")`).exec(text)?.[1];
  return value === undefined ? undefined : JSON.parse(value);
}

const pathOf = (url: string): string => url.split(/[?#]/, 1)[0]!;

const pageOf = (url: string): string => `${pathOf(url)} ${/[?&]Page=(\d{1,15})/.exec(url)?.[1] ?? 0}`;

const listKeys = new RegExp(String.raw`"(${Object.keys(twilioLists).join('|')})"\s{0,20}:\s{0,20}\[`);

/** Which list an answer is of, as far as its rows say. */
function listIn(text: string): string {
  const sid = /"(?:conversation|channel)_sid"\s{0,20}:\s{0,20}"([^"\\]{1,60})"/.exec(text)?.[1];
  return `list ${listKeys.exec(text)?.[1] ?? ''} ${sid ?? ''}`;
}
