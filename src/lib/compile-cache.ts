import { getCompileCacheDir } from 'node:module';
import { basename, dirname } from 'node:path';

/**
 * For the environment of a thread or a process that this one starts: the folder of compiled code that this one uses, if any. Only so it serves their first
 * file too: without, each of them compiles all that it loads, and in a checkout begins by loading a compiler for TypeScript.
 */
export function compileCache(): { readonly NODE_COMPILE_CACHE?: string } {
  const folder = getCompileCacheDir();
  if (folder === undefined) return {};
  // If Node itself added a folder named after its version, pass the parent: the process that gets the folder adds it
  // again.
  return { NODE_COMPILE_CACHE: basename(folder).startsWith(process.version) ? dirname(folder) : folder };
}
