import type { StagedItem } from '../checkpoint/staged-item.ts';
import type { ExportInput } from '../io/export-input.ts';
import type { Rules } from '../mapping/rules.ts';
import type { MessageLimits } from '../service/profiles.ts';
import type { SourceAdapter } from '../sources/source.ts';
import { EntryMapper } from './entry-mapper.ts';

/** What one pass over the exports reads, and under which rules. Plain data: it may cross into a thread. */
export interface ReadRequest {
  /** As the user named them. */
  readonly exports: readonly string[];
  readonly source: string;
  readonly sourceOptions: unknown;
  readonly workspace: string | undefined;
  readonly rules: Rules;
  readonly limits: MessageLimits;
  readonly nowMs: number;
  /** Per input: the row files to read; `all` of them where absent. Shared files are always read. */
  readonly wanted: readonly (readonly string[] | 'all')[];
}

/** Items of one input, in order of reading. */
export interface ItemChunk {
  readonly input: number;
  readonly items: readonly StagedItem[];
}

/** Items per chunk: enough to share the cost of passing one on, few enough to be garbage before they are moved (a fifth of the time). */
const chunkSize = 64;

/** Reads and maps every input, one after the other. Units of reading are files; nothing here depends on the store. */
export async function* readItems(
  inputs: readonly ExportInput[],
  adapter: SourceAdapter,
  request: ReadRequest,
  signal: AbortSignal,
): AsyncGenerator<ItemChunk> {
  let items: StagedItem[] = [];
  const mapper = new EntryMapper(request, (item) => items.push(item));
  for (const [index, input] of inputs.entries()) {
    const wanted = request.wanted[index]!;
    const wantedPaths = wanted === 'all' ? undefined : new Set(wanted);
    const { workspace } = request;
    const context = {
      signal,
      wants: (path: string) => wantedPaths?.has(path) ?? true,
      ...(workspace !== undefined && { workspace }),
    };
    for await (const entry of adapter.read(input, request.sourceOptions, context)) {
      if (entry.type === 'file') {
        const { path, role, reason } = entry;
        items.push({ type: 'file', path, role, reason, stat: await input.stat(path) });
      } else {
        mapper.add(entry);
      }
      if (items.length < chunkSize) continue;
      yield { input: index, items };
      items = [];
    }
    yield { input: index, items };
    items = [];
  }
}
