import type { StagedItem } from '../../../src/model/staged-item.ts';
import type { ExportInput } from '../../../src/io/input/export-input.ts';
import { findCheck } from '../../../src/mapping/checks.ts';
import { loadMapping, type Mapping } from '../../../src/mapping/load.ts';
import { exitCodes, errorExitCode } from '../../../src/model/exit-codes.ts';
import { type ChatRecord, recordSchema } from '../../../src/model/records.ts';
import { EntryMapper } from '../../../src/plan/entry-mapper.ts';
import { profiles } from '../../../src/service/profiles.ts';
import type { SourceAdapter } from '../../../src/sources/source.ts';
import { contextWith } from '../source/check.ts';

/** A row as it would be staged. */
export interface OutcomeRow {
  readonly path: string;
  /** `/41`, `12` or `12#/41`. */
  readonly place: string;
  readonly verdict: string;
  /** None for a row that cannot be read. */
  readonly muid: string | null;
  /** muid of the message that it answers. */
  readonly rootMuid: string | null;
  readonly originId: string | null;
  /** Payload that would be sent. */
  readonly payload: string | null;
}

/** Outcome of a plan for an export. */
export interface Outcome {
  readonly exit: number;
  readonly rows: readonly OutcomeRow[];
  /** Whether the first message of a file says whose messages the file has. */
  readonly isOfFirstMessage: boolean;
  /** Files of messages that were read. */
  readonly rowFiles: ReadonlySet<string>;
  /** Files in which something could not be read. */
  readonly blocked: ReadonlySet<string>;
  /** Error of exit code 1. */
  readonly error: Error | undefined;
  /** Records that do not fit the model: the store, or the service, would stumble over them. */
  readonly unfit: readonly string[];
  /** Errors that made rows invalid. */
  readonly unforeseen: readonly unknown[];
}

const mapping: Mapping = await loadMapping(undefined);
const nowMs = Date.UTC(2026, 10, 20);

/**
 * Reads, maps and checks an export as a plan does, without a store, which takes most of a plan's time: a sample has thousands of
 * mutations.
 *
 * @param mutated The file whose records are held against the model, which takes longer than everything else.
 * @param wants Files of messages that are read. Default all.
 */
export async function outcomeOf(
  adapter: SourceAdapter,
  input: ExportInput,
  options: unknown,
  mutated?: string,
  wants: (path: string) => boolean = () => true,
): Promise<Outcome> {
  const rows: OutcomeRow[] = [];
  const unfit: string[] = [];
  const unforeseen: unknown[] = [];
  const [rowFiles, blocked] = [new Set<string>(), new Set<string>()];
  const take = (item: StagedItem) => {
    if (item.type === 'problem' && findCheck(item.code)?.severity === 'blocks') blocked.add(item.path);
    if (item.type !== 'row') return;
    const { muid, rootMuid, originId, payload, verdict, place } = item.row;
    if (verdict === 'invalid') blocked.add(item.path);
    rows.push({ path: item.path, place, verdict, muid, rootMuid, originId, payload });
  };
  const isOfFirstMessage = adapter.carriesOthers === true;
  const about = { isOfFirstMessage, rows, rowFiles, blocked, unfit, unforeseen };
  const { limits } = profiles.sandbox;
  const mapper = new EntryMapper({ mapping, limits, nowMs, onUnforeseen: (error) => unforeseen.push(error) }, take);
  try {
    await adapter.probe(input);
    for await (const entries of adapter.read(input, adapter.options.parse(options), contextWith({ wants })))
      for (const entry of entries) {
        if (entry.type === 'record' && entry.location.path === mutated) unfit.push(...faultsOf(entry.record));
        if (entry.type !== 'file') mapper.add(entry);
        else if (entry.role === 'rows') rowFiles.add(entry.path);
      }
  } catch (error) {
    return { ...about, exit: errorExitCode(error), error: error as Error };
  }
  const exit = blocked.size > 0 ? exitCodes.someFailed : exitCodes.done;
  return { ...about, exit, error: undefined };
}

function faultsOf(record: ChatRecord): readonly string[] {
  const parsed = recordSchema.safeParse(record);
  return parsed.success
    ? []
    : parsed.error.issues.map(({ path, message }) => `${record.kind} ${path.join('.')}: ${message}`);
}
