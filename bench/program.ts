import { cpSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { buildProgram } from '../scripts/build.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

/** The program as users get it, bundled: a start reads a few files there and a thousand in the source. From the root of the repository. */
export const program = '.bench/program/bin/chatferry.mjs';

/** Builds it anew: some seconds. */
export async function prepareProgram(): Promise<void> {
  const folder = `${root}.bench/program`;
  rmSync(folder, { recursive: true, force: true });
  await buildProgram(`${folder}/dist`);
  for (const part of ['bin', 'mappings', 'package.json'])
    cpSync(`${root}${part}`, `${folder}/${part}`, { recursive: true });
}
