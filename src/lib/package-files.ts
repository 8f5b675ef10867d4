import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

/**
 * Files that come with the package in addition to its code: read from their location, in a checkout and in an
 * installation.
 *
 * This module is two folders below the package's root in both: `src/lib/` as source, `dist/bundle/` as published, where
 * everything is bundled. So no other module may look for a file relative to itself.
 */
const root = new URL('../../', import.meta.url);
/** Whether this is the source, in a checkout, and not what is published. */
export const isCheckout = import.meta.url.endsWith('.ts');

/** @param path From the root of the package: `package.json`, `mappings/`. */
export const packageFile = (path: string): URL => new URL(path, root);

/** Files that lie among the code and are no code. @param path From `src`: `store/migrations/`. */
export const assetFile = (path: string): URL => new URL(`${isCheckout ? 'src' : 'dist'}/${path}`, root);

/**
 * A module that is not bundled with others: it begins a thread of its own, or is loaded late.
 *
 * @param path From `src`, without ending: `fleet/copies/pack-thread`. Published, it is the entry of that name in `dist/bundle/`.
 */
export const entryModule = (path: string): URL =>
  isCheckout ? new URL(`src/${path}.ts`, root) : new URL(`dist/bundle/${path.split('/').at(-1)}.js`, root);

/** Loads such a module at once. */
export const requireEntry = (path: string): unknown => createRequire(import.meta.url)(fileURLToPath(entryModule(path)));
