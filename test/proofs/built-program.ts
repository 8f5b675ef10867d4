import { cpSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildProgram } from '../../scripts/build.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/**
 * Builds the program that `test/program.ts` names once for all files: as in the package, in a folder of its own.
 * Processes and threads of the tests compile nothing twice. The compile cache depends on the path, so it is removed
 * with the folder.
 */
export default async function builtProgram(): Promise<() => void> {
  // Set by the user who runs the proofs.
  if (process.env.CHATFERRY_TEST_PROGRAM) return () => {};
  const folder = mkdtempSync(join(tmpdir(), 'chatferry-built-'));
  await buildProgram(join(folder, 'dist'));
  for (const path of ['bin', 'package.json']) cpSync(join(root, path), join(folder, path), { recursive: true });
  for (const path of ['node_modules', 'mappings', 'samples', 'docs']) symlinkSync(join(root, path), join(folder, path));
  process.env.CHATFERRY_TEST_PROGRAM = join(folder, 'bin/chatferry.mjs');
  process.env.NODE_COMPILE_CACHE = join(folder, 'compiled');
  return () => rmSync(folder, { recursive: true, force: true });
}
