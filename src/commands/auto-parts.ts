import type { ExportInput } from '../io/input/export-input.ts';
import { openExport } from '../io/input/open-export.ts';
import type { Entry } from '../model/entry.ts';
import { type Part, Parts, partsMax } from '../model/part.ts';
import { chooseSource, parseSourceOptions } from '../plan/choose-source.ts';
import type { SourceAdapter } from '../sources/source.ts';
import type { ReadingOptions } from './convert/convert.ts';

/** In how many parts an export is planned where nobody says it, with what that was worked out from. */
export interface AutoParts {
  readonly source: string;
  /** To be given to each part, with its index. */
  readonly parts: Omit<Part, 'index'>;
  /** Estimated from a look at some of them. */
  readonly messages: number;
  /**
   * `conversation`: a part opens its own files, and of others the beginning at most. `rows`: each part would read everything; more than
   * one are better written by `convertParts` first.
   */
  readonly rowsBy: 'conversation' | 'rows';
}

/** A part is about half a GB of store then, planned in two minutes. */
const messagesPerPart = 2_000_000;

/**
 * Works out parts from the sizes of the files that hold messages and a look into some of them: a few MB are read, and the files of
 * people and conversations. Where files say whose messages they hold, large conversations are placed so that parts are about the same size.
 *
 * @throws SourceError, UsageError
 */
export async function autoParts(
  options: ReadingOptions & { readonly messagesPerPart?: number | undefined },
): Promise<AutoParts> {
  const inputs = await openExport([options.from].flat());
  try {
    const adapter = await chooseSource(inputs, options.source);
    const look: Look = { adapter, sourceOptions: parseSourceOptions(adapter, options.mapping), options };
    const found = { bytes: 0, messages: 0, areOwn: true };
    const sizes = new Map<string, number>();
    for (const input of inputs) {
      const files = await rowFiles(input, look);
      const sample = await lookInto(input, files, look);
      const bytes = [...files.values()].reduce((sum, size) => sum + size, 0);
      found.bytes += bytes;
      found.messages += bytes * sample.messagesPerByte;
      found.areOwn &&= adapter.ownersOf !== undefined || sample.areOwn;
      await addSizes(sizes, input, files, look);
    }
    const wanted = Math.ceil(found.messages / (options.messagesPerPart ?? messagesPerPart));
    const of = Math.min(Math.max(1, wanted), partsMax);
    const placed = placesOf(sizes, of, options.mapping.rules.conversations.merge);
    const parts = Object.keys(placed).length > 0 ? { of, placed } : { of };
    const rowsBy = found.areOwn ? 'conversation' : 'rows';
    return { source: adapter.name, parts, messages: Math.round(found.messages), rowsBy };
  } finally {
    for (const input of inputs) await input.close();
  }
}

interface Look {
  readonly adapter: SourceAdapter;
  readonly sourceOptions: unknown;
  readonly options: ReadingOptions;
}

/** Sizes in bytes of the files that hold messages, by path: all that the source asks for, or every file where those that it reads first hold some. */
async function rowFiles(input: ExportInput, { adapter, sourceOptions, options }: Look): Promise<Map<string, number>> {
  let paths: string[] = [];
  const wants = (path: string) => {
    paths.push(path);
    return false;
  };
  for await (const entries of adapter.read(input, sourceOptions, contextOf(options, wants))) {
    if (!entries.some(isMessage)) continue;
    paths = [...(await input.paths())];
    break;
  }
  const sizes = new Map<string, number>();
  for (const path of paths) sizes.set(path, (await input.stat(path)).sizeBytes);
  return sizes;
}

const isMessage = (entry: Entry): boolean => entry.type === 'record' && entry.record.kind === 'message';

const contextOf = ({ workspace, signal }: ReadingOptions, wants: (path: string) => boolean) => ({
  signal: signal ?? new AbortController().signal,
  wants,
  ...(workspace !== undefined && { workspace }),
});

/** Files that are looked into, spread over all, and messages after which they are enough. */
const filesMax = 1_000;
const messagesMax = 20_000;
/** Where a look tells nothing, as of a database: what a message takes with everything around it. */
const usualBytes = 300;

interface Sample {
  readonly messagesPerByte: number;
  /** Every file said that its messages are of one conversation. */
  readonly areOwn: boolean;
}

async function lookInto(input: ExportInput, files: ReadonlyMap<string, number>, look: Look): Promise<Sample> {
  const { adapter, sourceOptions, options } = look;
  const step = Math.ceil(files.size / filesMax);
  const chosen = new Set([...files.keys()].filter((_, at) => at % step === 0));
  const told = new Set<string>();
  const met = new Set<string>();
  let messages = 0;
  const counted = countingInput(input, chosen);
  const context = {
    ...contextOf(options, (path) => chosen.has(path)),
    wantsRowsOf: (path: string) => told.add(path) !== undefined,
  };
  for await (const entries of adapter.read(counted.input, sourceOptions, context)) {
    for (const entry of entries) {
      if (entry.type === 'file' || !isMessage(entry)) continue;
      messages++;
      met.add(entry.location.path);
    }
    if (messages >= messagesMax) break;
  }
  const bytes = counted.bytesRead();
  const isTelling = messages > 0 && bytes > 0;
  return {
    messagesPerByte: isTelling ? messages / bytes : 1 / usualBytes,
    areOwn: met.size > 0 && [...met].every((path) => told.has(path)),
  };
}

/** An input that adds up the bytes that are read of some files. */
function countingInput(input: ExportInput, paths: ReadonlySet<string>) {
  let bytes = 0;
  const add = (path: string, chunk: Uint8Array) => {
    if (paths.has(path)) bytes += chunk.length;
    return chunk;
  };
  const counting: ExportInput = {
    label: input.label,
    key: input.key,
    problems: input.problems,
    paths: () => input.paths(),
    stat: (path) => input.stat(path),
    head: (path, byteCount) => input.head(path, byteCount),
    read: async (path, bytesMax, into) => add(path, await input.read(path, bytesMax, into)),
    async *open(path) {
      for await (const chunk of input.open(path)) yield add(path, chunk);
    },
    materialise: (path) => input.materialise(path),
    close: () => input.close(),
  };
  return { input: counting, bytesRead: () => bytes };
}

/** Bytes of each conversation, where files say whose messages they hold. */
async function addSizes(
  sizes: Map<string, number>,
  input: ExportInput,
  files: ReadonlyMap<string, number>,
  { adapter, sourceOptions, options }: Look,
): Promise<void> {
  const signal = options.signal ?? new AbortController().signal;
  const ownerOf = await adapter.ownersOf?.(input, sourceOptions, signal);
  if (!ownerOf) return;
  for (const [path, size] of files) {
    const owner = ownerOf(path);
    if (owner !== undefined) sizes.set(owner, (sizes.get(owner) ?? 0) + size);
  }
}

/** Of a part, what a conversation must have to be placed: so few are, and the others spread by themselves. */
const largeShare = 1 / 50;

/** The large conversations, the largest first, each into what is the smallest part then. Sizes are of the export as it is today. */
function placesOf(
  sizes: ReadonlyMap<string, number>,
  of: number,
  merges: readonly (readonly string[])[],
): Readonly<Record<string, number>> {
  if (of === 1) return {};
  const firstOf = new Map(merges.flatMap(([first, ...others]) => others.map((other) => [other, first!] as const)));
  const merged = new Map<string, number>();
  let total = 0;
  for (const [id, size] of sizes) {
    const first = firstOf.get(id) ?? id;
    merged.set(first, (merged.get(first) ?? 0) + size);
    total += size;
  }
  const isLarge = (size: number) => size > (total / of) * largeShare;
  const byHash = new Parts({ of }, []);
  const loads = new Array<number>(of).fill(0);
  for (const [id, size] of merged) if (!isLarge(size)) loads[byHash.of(id)]! += size;
  const large = [...merged].filter(([, size]) => isLarge(size)).sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1));
  const placed: Record<string, number> = {};
  for (const [id, size] of large) {
    const smallest = loads.indexOf(Math.min(...loads));
    placed[id] = smallest;
    loads[smallest]! += size;
  }
  return placed;
}
