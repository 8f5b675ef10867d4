import { listFaults, readOnce, schemaWords } from '../lib/text/schema-words.ts';
import type { ExportInput } from '../io/input/export-input.ts';
import { SourceError, UsageError } from '../lib/errors.ts';
import type { Mapping } from '../mapping/load.ts';
import { detectSource } from '../sources/detect.ts';
import { describeUnknown, lostFiles } from '../sources/unrecognised.ts';
import { sources } from '../sources/registry.ts';
import { foreignPlatform } from '../sources/signatures.ts';
import type { SourceAdapter } from '../sources/source.ts';
import { docsLink } from '../lib/docs-link.ts';

/** The source that the user named, else the one that recognises every input. */
export async function chooseSource(inputs: readonly ExportInput[], name: string | undefined): Promise<SourceAdapter> {
  if (name !== undefined) return sourceNamed(name);
  const found = new Map<string, SourceAdapter>();
  for (const input of inputs) {
    const [best, second] = await detectSource(input);
    if (!best) throw await unrecognised(input);
    if (second && second.match === best.match) {
      throw new UsageError(
        `Cannot choose a source for "${input.label}": both "${best.adapter.name}" and "${second.adapter.name}" fit`,
        {
          hint: `Pass --source ${best.adapter.name} or --source ${second.adapter.name}`,
          wants: 'source',
        },
      );
    }
    found.set(best.adapter.name, best.adapter);
  }
  const [first, ...others] = found.values();
  if (!first || others.length > 0) {
    throw new UsageError(`Cannot read exports of several sources together: ${[...found.keys()].join(', ')}`, {
      hint: 'Import them one after the other, each with its own --store',
    });
  }
  return first;
}

export function sourceNamed(name: string): SourceAdapter {
  const source = sources.find((candidate) => candidate.name === name);
  if (source) return source;
  throw new UsageError(`Cannot read source "${name}": there is no such source`, {
    hint: `Sources: ${sources.map((candidate) => candidate.name).join(', ')}`,
  });
}

async function unrecognised(input: ExportInput): Promise<SourceError> {
  const foreign = await foreignPlatform(input);
  if (foreign) {
    const { platform, layout, advice } = foreign.signature;
    return new SourceError(
      `Cannot read "${input.label}": it is ${platform} (${layout}), which no source reads by itself: ${foreign.because}`,
      { hint: `${advice}. More: ${docsLink('reference/platforms')}`, wants: 'source' },
    );
  }
  const lost = await lostFiles(input);
  const because = lost === '' ? '' : `; the content of its files does not match their names: ${lost}`;
  const { words, source, nearest, advice } = await describeUnknown(input);
  const near = nearest.length === 0 ? '' : `. Nearest: ${nearest.join('; ')}`;
  const next = source
    ? `Run "chatferry init --source ${source}" with the export: it asks what each field is`
    : (advice ??
      `Pass --source NAME to insist on one: ${docsLink('reference/sources/index')} leads to a page for each`);
  return new SourceError(`Cannot read "${input.label}": no source recognises it. ${words}${near}${because}`, {
    hint: next,
    wants: 'source',
  });
}

/** The mapping's `source:` section as the source takes it. @throws UsageError */
export function parseSourceOptions(adapter: SourceAdapter, mapping: Mapping): unknown {
  const parsed = adapter.options.safeParse(mapping.rules.source, { ...schemaWords, ...readOnce });
  if (parsed.success) return parsed.data;
  const faults = listFaults(adapter.options, parsed.error.issues).map(
    ({ at, what }) => `source.${at.join('.')}: ${what}`,
  );
  throw new UsageError(`Cannot use the mapping for source "${adapter.name}": ${faults.join('; ')}`);
}
