import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { UsageError } from '../../lib/errors.ts';
import { sha256Hex } from '../../lib/hash.ts';
import type { MappingModule } from './module.ts';

export interface LoadedModule {
  readonly steps: MappingModule;
  /** Changes when the file does. What it imports is not part of it. */
  readonly hash: string;
}

const stepNames = ['mapPerson', 'mapConversation', 'mapMessage'] as const;

/**
 * Runs the module: it is code with the rights of this process. Steps are its named exports, or those of the object that
 * it exports as default.
 *
 * @param mappingPath The module's path counts from its folder.
 * @throws UsageError
 */
export async function loadModule(file: string, mappingPath: string): Promise<LoadedModule> {
  const path = resolve(dirname(mappingPath), file);
  try {
    const hash = sha256Hex(await readFile(path, 'utf8'));
    // A module that has changed is another module to the loader, which keeps what it once loaded.
    const url = `${pathToFileURL(path).href}?${hash.slice(0, 16)}`;
    const exported = (await import(url)) as Readonly<Record<string, unknown>>;
    return { steps: stepsOf((exported.default ?? exported) as Readonly<Record<string, unknown>>), hash };
  } catch (cause) {
    throw new UsageError(`Cannot use the module "${file}": ${cause instanceof Error ? cause.message : String(cause)}`, {
      hint: 'Its path counts from the folder of the mapping file; docs/mapping.md shows a module',
      cause,
    });
  }
}

function stepsOf(exported: Readonly<Record<string, unknown>>): MappingModule {
  const unusable = stepNames.find((name) => exported[name] !== undefined && typeof exported[name] !== 'function');
  if (unusable) throw new TypeError(`expected a function as ${unusable}, found ${typeof exported[unusable]}`);
  const steps = Object.fromEntries(
    stepNames.flatMap((name) => (exported[name] === undefined ? [] : [[name, exported[name]]])),
  );
  if (Object.keys(steps).length > 0) return steps;
  throw new TypeError(`expected at least one of ${stepNames.join(', ')}, found none`);
}
