import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** A module of ours: its path inside `src`, as `sources/slack/text.ts`, and its code. */
export interface Module {
  readonly path: string;
  readonly code: string;
}

const src = fileURLToPath(new URL('../../src/', import.meta.url));

export const modules: readonly Module[] = globSync('**/*.ts', { cwd: src })
  .map((path) => path.replaceAll('\\', '/'))
  .sort()
  .map((path) => ({ path, code: readFileSync(src + path, 'utf8') }));

/** `src/sources/slack/text.ts:12`, for the place at which something begins. */
export const placeOf = ({ path, code }: Module, start: number): string =>
  `src/${path}:${code.slice(0, start).split('\n').length}`;
