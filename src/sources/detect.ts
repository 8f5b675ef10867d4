import type { ExportInput } from '../io/input/export-input.ts';
import { probedInput } from './kit/probed-input.ts';
import { sources } from './registry.ts';
import { foreignPlatform } from './signatures.ts';
import type { SourceAdapter } from './source.ts';
import { isTableSource } from './table-source.ts';
import type { Entry } from '../model/entry.ts';
import { foreignReason } from './kit/files/foreign-files.ts';
import { headOrNothing } from './kit/files/file-bytes.ts';
import { hasRowsOfChat, isOfChat } from './kit/rows/chat-rows.ts';
import { type JsonOutline, readOutline } from './kit/rows/json-outline.ts';

/** A source that an export may belong to. */
export interface Detected {
  readonly adapter: SourceAdapter;
  readonly match: 'certain' | 'likely';
  /** Shown to the user: `"channels.json" and "users.json" at the top`. */
  readonly because: string;
}

/** Found before. With many files the sources look for a second, and an export is asked more than once while it is open. */
const found = new WeakMap<ExportInput, Promise<readonly Detected[]>>();

/**
 * Asks every source whether it recognises the export. Certain matches come first, otherwise in the order of the
 * registry. A source without fixed fields sees a table in anything. It only counts if no other source recognises the
 * export and nothing shows that it belongs to another platform (`foreignPlatform`).
 */
export function detectSource(
  input: ExportInput,
  adapters: readonly SourceAdapter[] = sources,
): Promise<readonly Detected[]> {
  if (adapters !== sources) return detect(input, adapters);
  const detected = found.get(input) ?? detect(input, adapters);
  found.set(input, detected);
  return detected;
}

async function detect(input: ExportInput, adapters: readonly SourceAdapter[]): Promise<readonly Detected[]> {
  const probed = probedInput(input);
  const detected: Detected[] = [];
  for (const adapter of adapters) {
    const probe = await adapter.probe(probed);
    if (probe.match !== 'no') detected.push({ adapter, ...probe });
  }
  const specific = detected.filter(({ adapter }) => !isTableSource(adapter));
  if (specific.length === 0 && detected.length > 0 && (await isForeign(probed))) return [];
  return (specific.length > 0 ? specific : detected).sort(
    (a, b) => Number(b.match === 'certain') - Number(a.match === 'certain'),
  );
}

/** Whether the format of another platform matches the export, other than as a file among tables. */
async function isForeign(input: ExportInput): Promise<boolean> {
  const foreign = await foreignPlatform(input);
  return foreign !== undefined && (!foreign.signature.isContainer || (await input.paths()).length === 1);
}

type FileEntry = Extract<Entry, { type: 'file' }>;

/** Files whose names are those of texts, or say nothing: only these are looked into. */
const texts =
  /\.(?:json|jsonl|ndjson|csv|tsv|txt|log|md|html?|xml|chatlog|AdiumHTMLLog|bson|parquet)(?:\.gz)?$|(?:^|\/)[^./]+$/i;
const headBytes = 64 * 1024;
/** Files of one input that every source looks at. */
const peeksMax = 200;

/**
 * Says of files that a source does not know whether they look like chat: a source of ours recognises the file by itself, it has the
 * marks of a platform that no source reads, or its rows have texts, times and authors. Then nothing of it may be left out without a decision.
 *
 * Reads 64 KiB of each. Sources and marks look at the first 200, which takes some milliseconds for each; of others the rows count.
 */
export class UnreadChats {
  readonly #input: ExportInput;
  readonly #adapter: SourceAdapter;
  #looks = 0;

  constructor(input: ExportInput, adapter: SourceAdapter) {
    this.#input = input;
    this.#adapter = adapter;
  }

  /** Returns the entry, with a reason if the file looks like a chat. A reason that the source gave stays. */
  async judge(entry: FileEntry): Promise<FileEntry> {
    const isOpen = entry.role === 'unknown' && entry.reason === undefined && texts.test(entry.path);
    if (!isOpen || foreignReason(entry.path) !== undefined) return entry;
    this.#looks += 1;
    const ofPlatform = this.#looks > peeksMax ? undefined : await this.#reasonOfPlatform(entry.path);
    const reason = ofPlatform ?? (await this.#reasonOfRows(entry.path));
    return reason === undefined ? entry : { ...entry, reason, isChat: true };
  }

  async #reasonOfPlatform(path: string): Promise<string | undefined> {
    const alone = probedInput({ ...this.#input, label: path, paths: async () => [path] });
    for (const source of sources) {
      if (isTableSource(source) || (await source.probe(alone)).match === 'no') continue;
      if (source.name !== this.#adapter.name)
        return `It looks like a chat of ${source.name}: read it with --source ${source.name}`;
      return (await this.#input.paths()).length > 1
        ? `It looks like a chat of ${source.name} and was not read with the rest: pass it separately`
        : `It looks like a chat of ${source.name}, but it has no list of messages: its version may be unknown`;
    }
    const foreign = await foreignPlatform(alone);
    if (foreign === undefined || foreign.signature.isContainer) return undefined;
    const { platform, layout, advice } = foreign.signature;
    return `It looks like a chat of ${platform} (${layout}), which is not read. ${advice}`;
  }

  async #reasonOfRows(path: string): Promise<string | undefined> {
    const head = new TextDecoder().decode(await headOrNothing(this.#input, path, headBytes)).replace(/^\ufeff/, '');
    return looksLikeChat(path, head) ? 'It looks like a chat: its rows have texts, times and authors' : undefined;
  }
}

/** Whether rows have a text, a time and an author, by the names of their fields. */
function looksLikeChat(path: string, head: string): boolean {
  if (/\.(?:csv|tsv)(?:\.gz)?$/i.test(path)) return isOfChat(splitCells(head.split(/\r?\n/, 1)[0]!));
  if (!/^\s*[[{]/.test(head)) return false;
  const outline = readOutline(head);
  return hasRowsOfChat(outline) || hasLabelsOfChat(outline);
}

const splitCells = (line: string): string[] =>
  line.split(/[,;\t|]/).map((cell) => cell.trim().replace(/^"(.*)"$/, '$1'));

/** Files whose rows are lists of labels with values, as `{"label": "Author", "value": "…"}`; the time may be a field around them. */
function hasLabelsOfChat(outline: JsonOutline): boolean {
  const objects = [...outline.values()];
  const labels = objects.flatMap((fields) => fields.get('label') ?? []);
  return (
    labels.length > 0 && isOfChat([...labels, ...objects.flatMap((fields) => [...fields.keys()])].filter(isNoValue))
  );
}

/** `value` and `label` are the frame of a row, and no field of it. */
const isNoValue = (name: string): boolean => name !== 'value' && name !== 'label';
