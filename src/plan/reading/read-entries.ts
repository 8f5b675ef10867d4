import type { ExportInput, FileStat } from '../../io/input/export-input.ts';
import { identifier } from '../../mapping/muid.ts';
import type { Entry } from '../../model/entry.ts';
import type { MessageRecord } from '../../model/records.ts';
import { sourceNamed } from '../choose-source.ts';
import type { EntryList, FinishedFile, ReadEntry, ReadRequest } from './protocol.ts';
import { PartFilter } from './part-filter.ts';
import { Dealer } from './share.ts';
import { FileEnds, watchInput } from './watch-input.ts';

/**
 * Reads what is wanted, in this thread.
 *
 * @param inputs The request's exports, open.
 * @throws SourceError, UsageError
 */
export async function* readEntriesHere(
  inputs: readonly ExportInput[],
  request: ReadRequest,
  signal: AbortSignal,
): AsyncGenerator<EntryList> {
  const adapter = sourceNamed(request.source);
  const identityOf = identifier();
  const dealer = request.share && new Dealer(request.share);
  const part = request.part && new PartFilter(request.part);
  for (const [index, opened] of inputs.entries()) {
    const wanted = request.wanted[index]!;
    const wantedPaths = wanted === 'all' ? undefined : new Set(wanted);
    const before = request.ends?.[index];
    const watched = watchInput(opened, adapter.canGoOn && ((path) => before?.get(path)));
    const { input } = watched;
    const ends = new FileEnds(watched, before);
    part?.beginInput(await adapter.ownersOf?.(input, request.sourceOptions, signal));
    const context = {
      signal,
      wants: (path: string) =>
        (wantedPaths?.has(path) ?? true) && (part?.wants(path) ?? true) && (dealer?.isOwn(path) ?? true),
      ...(part && { wantsRowsOf: (path: string, conversation: string) => part.wantsRowsOf(path, conversation) }),
      ...(request.workspace !== undefined && { workspace: request.workspace }),
      ...(adapter.canGoOn && input.growing && { growing: ends }),
    };
    for await (const list of adapter.read(input, request.sourceOptions, context)) {
      const entries: ReadEntry[] = await ends.found();
      for (const entry of part?.kept(list) ?? list) {
        if (entry.type === 'file') entries.push(finished(entry, await ends.statOf(entry.path)));
        else if (!isMessage(entry)) entries.push(entry);
        else {
          const { record, location } = entry;
          // Worked out here, and not where it is mapped: the thread that maps has more to do.
          entries.push({ type: 'record', record, location, identity: identityOf(record) });
        }
      }
      if (dealer) yield* dealer.cut({ input: index, entries });
      else yield { input: index, entries };
    }
    if (dealer) yield* dealer.endInput(index);
  }
}

/** Copied by hand: an export has hundreds of thousands. */
function finished({ path, role, reason }: Extract<Entry, { type: 'file' }>, stat: FileStat): FinishedFile {
  return reason === undefined ? { type: 'file', path, role, stat } : { type: 'file', path, role, reason, stat };
}

type MessageRead = Extract<Entry, { type: 'record' }> & { readonly record: MessageRecord };

const isMessage = (entry: Entry): entry is MessageRead => entry.type === 'record' && entry.record.kind === 'message';
