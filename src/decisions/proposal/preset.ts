import type { ExportInput } from '../../io/input/export-input.ts';
import type { SourceAdapter } from '../../sources/source.ts';
import { type Finding, isTableSource, type Preset } from '../../sources/table-source.ts';
import {
  dotted,
  isTable,
  type KeyPath,
  listLeaves,
  type Settings,
  valueAt,
  withValue,
  yamlLine,
} from '../../lib/settings.ts';

/** The user's settings, and those that a known mapping adds. */
interface Answers {
  readonly answers: Settings;
  /** One for each key that the known mapping decides. */
  readonly findings: readonly Finding[];
}

/**
 * Applies the decisions of a known mapping, if the export is that of a known application and the user agrees. The
 * user's own decisions stay; a section whose table they have named is entirely theirs.
 */
export async function withPreset(
  adapter: SourceAdapter,
  inputs: readonly ExportInput[],
  decided: Settings,
  agree: (preset: Preset) => Promise<boolean>,
): Promise<Answers> {
  const preset = await findPreset(adapter, inputs, decided);
  const keys = preset ? listKeys(preset.options).filter(([path]) => isFree(path, decided, preset.options)) : [];
  if (!preset || keys.length === 0 || !(await agree(preset))) return { answers: decided, findings: [] };
  const because = `the tables are those of ${preset.title} (${preset.path})`;
  const found = { because, alternatives: [], isRequired: false };
  const explained = [`${preset.title}: ${preset.because}`];
  return {
    answers: keys.reduce((answers, [path, value]) => withValue(answers, path, value), decided),
    findings: keys.map(([path, value], index) => {
      const finding = { key: dotted(path), value, ...found };
      return index === 0 ? { ...finding, explained } : finding;
    }),
  };
}

/** Returns the preset of all inputs; undefined if they differ. */
async function findPreset(
  adapter: SourceAdapter,
  inputs: readonly ExportInput[],
  decided: Settings,
): Promise<Preset | undefined> {
  let found: Preset | undefined;
  for (const input of inputs) {
    const preset = isTableSource(adapter) ? await adapter.preset?.(input, decided) : undefined;
    if (!preset || (found && found.path !== preset.path)) return undefined;
    found = preset;
  }
  return found;
}

/** Keys that are decided as a whole: `zone`, `messages.time`; of a filter each column. */
function listKeys(options: Settings): readonly (readonly [path: KeyPath, value: unknown])[] {
  const paths = listLeaves(options).map(([path]) =>
    path.slice(0, path[1] === 'only' || path[1] === 'skipWhen' ? 3 : 2),
  );
  const distinct = new Map(paths.map((path) => [dotted(path), path]));
  return [...distinct.values()].map((path) => [path, valueAt(options, path)] as const);
}

function isFree([section, key, column]: KeyPath, decided: Settings, options: Settings): boolean {
  const tableOf = (settings: Settings) => valueAt(settings, ['tables', section!]);
  const table = tableOf(decided);
  if (table !== undefined && section !== 'tables' && yamlLine(table) !== yamlLine(tableOf(options))) return false;
  const said = decided[section!];
  if (key === undefined || !isTable(said)) return said === undefined;
  return valueAt(said, column === undefined ? [key] : [key, column]) === undefined;
}
