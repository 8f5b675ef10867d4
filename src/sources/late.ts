import { once } from '../lib/once.ts';
import { requireEntry } from '../lib/package-files.ts';
import type { SourceAdapter } from './source.ts';

export { kitCodes } from './kit/codes.ts';

/** All sources, loaded at the first call: with their words they take a seventh of a start, and reports of most stores need none. */
export const registry = once(() => requireEntry('sources/registry') as typeof import('./registry.ts'));

export const sourceNamed = (name: string): SourceAdapter | undefined =>
  registry().sources.find((source) => source.name === name);
