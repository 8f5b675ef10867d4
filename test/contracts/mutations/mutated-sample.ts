import type { ExportInput } from '../../../src/io/input/export-input.ts';
import { exitCodes } from '../../../src/model/exit-codes.ts';
import type { SourceAdapter } from '../../../src/sources/source.ts';
import { withFile } from '../altered-input.ts';
import { memoryInput } from '../memory-input.ts';
import { openSample, type Sample, sampleOptions } from '../samples.ts';
import { jsonMutations, type Mutation, tableMutations } from './mutation.ts';
import { type Outcome, outcomeOf } from './outcome.ts';

/** A sample in memory, and what a plan makes of it as it is. */
export interface MutableSample {
  readonly sample: Sample;
  readonly input: ExportInput;
  readonly mutations: readonly Mutation[];
  readonly whole: Outcome;
  /** Its source options, from its mapping. */
  readonly options: unknown;
}

export async function mutableSample(adapter: SourceAdapter, sample: Sample): Promise<MutableSample> {
  const input = await inMemory(sample);
  const mutations: Mutation[] = [];
  for (const path of await input.paths()) {
    const text = utf8(await input.read(path, bytesMax));
    if (text === undefined) continue;
    if (/\.csv$/i.test(path)) mutations.push(...tableMutations(path, text));
    else if (!/\.(?:md|txt|log|html?)$/i.test(path) && /^\ufeff?\s*[[{]/.test(text))
      mutations.push(...jsonMutations(path, text));
  }
  const options = sampleOptions(sample);
  return { sample, input, mutations, options, whole: await outcomeOf(adapter, input, options) };
}

const bytesMax = 2 ** 20;

async function inMemory(sample: Sample): Promise<ExportInput> {
  const opened = await openSample(sample);
  const files: Record<string, Uint8Array> = {};
  for (const path of await opened.paths()) files[path] = Buffer.from(await opened.read(path, Number.MAX_SAFE_INTEGER));
  return memoryInput(files, opened.label);
}

/** Undefined for bytes of another kind, or too many for thousands of readings. */
function utf8(bytes: Uint8Array): string | undefined {
  try {
    return bytes.length > bytesMax
      ? undefined
      : new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/**
 * Returns the plan's outcome for the sample with a mutation. Each file of messages can be read on its own, as the
 * contract requires of every source: of these, only the mutated one is read again.
 */
export async function tried(
  adapter: SourceAdapter,
  { input, options, whole }: MutableSample,
  mutation: Mutation,
): Promise<Outcome> {
  const { path } = mutation;
  const mutated = withFile(input, path, Buffer.from(mutation.text()));
  if (!whole.rowFiles.has(path)) return outcomeOf(adapter, mutated, options, path);
  const found = await outcomeOf(adapter, mutated, options, path, (wanted) => wanted === path);
  const isOther = (file: string) => file !== path && whole.rowFiles.has(file);
  const isBlocked = found.exit === exitCodes.done && [...whole.blocked].some(isOther);
  return {
    ...found,
    exit: isBlocked ? exitCodes.someFailed : found.exit,
    rows: [...found.rows, ...whole.rows.filter((row) => isOther(row.path))],
  };
}
