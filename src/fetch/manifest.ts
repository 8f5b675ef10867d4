import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { replaceFileSync } from '../lib/files/atomic-file.ts';
import { isLoopback } from '../lib/loopback.ts';
import type { Journal, StepState } from './journal.ts';
import type { Recipe } from './recipe/recipe.ts';
import type { Values } from './template.ts';

const manifestName = 'chatferry-fetch.json';

/** Contents of a folder of fetched answers. */
export interface Manifest {
  readonly chatferryFetch: 1;
  readonly provider: string;
  readonly source: string;
  readonly recipeVersion: number;
  /** Without the key. */
  readonly settings: Values;
  readonly since: string | null;
  readonly until: string | null;
  /** Keeps messages of several installations apart, whose ids are the same numbers; null if ids differ everywhere. */
  readonly workspace: string | null;
  /** Whether it is one of a series of fetches, which together are everything. */
  readonly isIncrement: boolean;
  /** Ids that `--only` named. */
  readonly only: readonly string[] | null;
  readonly began: string;
  readonly ended: string | null;
  /** @internal */
  readonly steps: Readonly<Record<string, Omit<StepState, 'step'>>>;
  /** Files of messages by what became of them: `here`, `open`, or why they will never be here. */
  readonly files: Readonly<Record<string, number>>;
  /** Lists that the provider did not give whole; 1,000 at most. */
  readonly gaps: readonly {
    readonly step: string;
    readonly of: Values;
    readonly why: string;
    readonly missing: number;
  }[];
}

export interface ManifestFacts {
  readonly provider: string;
  readonly recipe: Recipe;
  readonly settings: Values;
  readonly sinceMs: number | undefined;
  readonly untilMs: number | undefined;
  readonly only: ReadonlySet<string> | undefined;
  readonly isIncrement: boolean;
  readonly nowMs: number;
}

/** Writes the manifest next to the answers. `ended` is null as long as a list is open. */
export function writeManifest(folder: string, journal: Journal, facts: ManifestFacts): Manifest {
  const { provider, recipe, settings, sinceMs, untilMs, only, isIncrement, nowMs } = facts;
  const steps = journal.steps();
  const files = journal.fileCounts();
  const isWhole =
    (files.open ?? 0) === 0 &&
    recipe.steps.every(({ name, each }) => (steps.get(name)?.open ?? (each === undefined ? 1 : 0)) === 0);
  const ended = isWhole ? journal.about('ended') || new Date(nowMs).toISOString() : null;
  journal.note('ended', ended ?? '');
  const notFound = [...(ended === null ? [] : (only ?? []))]
    .filter((id) => journal.about(`only ${id}`) === undefined)
    .map((id) => ({ step: 'only', values: { id }, why: 'no list has this id', missing: 1 }));
  const manifest: Manifest = {
    chatferryFetch: 1,
    provider,
    source: recipe.source,
    recipeVersion: recipe.version,
    settings,
    since: timeText(sinceMs),
    until: timeText(untilMs),
    workspace: hostIn(settings[recipe.workspace ?? '']),
    isIncrement,
    only: only === undefined ? null : [...only],
    began: journal.about('began') ?? '',
    ended,
    steps: Object.fromEntries(
      recipe.steps.flatMap(({ name }) => {
        const { step: _, ...state } = steps.get(name) ?? { step: name };
        return 'rows' in state ? [[name, state]] : [];
      }),
    ),
    files,
    gaps: [...journal.gaps(), ...notFound].map(({ values, ...gap }) => ({
      ...gap,
      of: belowSettings(values, settings),
    })),
  };
  replaceFileSync(join(folder, manifestName), `${JSON.stringify(manifest, null, 2)}\n`);
  return manifest;
}

const timeText = (ms: number | undefined): string | null => (ms === undefined ? null : new Date(ms).toISOString());

/** None for a service on this machine, because its port changes. */
function hostIn(address: string | undefined): string | null {
  const { hostname } = address === undefined ? { hostname: '' } : new URL(address);
  return hostname === '' || isLoopback(hostname) ? null : hostname;
}

const belowSettings = (values: Values, settings: Values): Values =>
  Object.fromEntries(Object.entries(values).filter(([name]) => settings[name] === undefined));

/** The manifest in a folder of our own; undefined if there is none. */
export function readManifest(folder: string): Manifest | undefined {
  const path = join(folder, manifestName);
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Manifest) : undefined;
}
