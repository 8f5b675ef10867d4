import { getCompileCacheDir } from 'node:module';

/**
 * For the environment of a thread or a process that this one starts: the folder of compiled code that this one uses, if any. Only so it serves their first
 * file too: without, each of them compiles all that it loads, and in a checkout begins by loading a compiler for TypeScript.
 */
export function compileCache(): { readonly NODE_COMPILE_CACHE?: string } {
  const folder = getCompileCacheDir();
  return folder === undefined ? {} : { NODE_COMPILE_CACHE: folder };
}
