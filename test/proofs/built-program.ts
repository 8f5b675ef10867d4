import { cpSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildProgram } from '../../scripts/build.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/**
 * Builds, once for all files, what `test/program.ts` names: the program as the package has it, in a folder of its own. Processes and threads
 * that tests start compile nothing twice; that stands by path, so it goes with the folder.
 */
export default async function builtProgram(): Promise<() => void> {
  // Named by whoever runs the proofs.
  if (process.env.CHATFERRY_TEST_PROGRAM) return () => {};
  const folder = mkdtempSync(join(tmpdir(), 'chatferry-built-'));
  await buildProgram(join(folder, 'dist'));
  for (const path of ['bin', 'package.json']) cpSync(join(root, path), join(folder, path), { recursive: true });
  for (const path of ['node_modules', 'mappings', 'samples', 'docs']) symlinkSync(join(root, path), join(folder, path));
  process.env.CHATFERRY_TEST_PROGRAM = join(folder, 'bin/chatferry.mjs');
  process.env.NODE_COMPILE_CACHE = join(folder, 'compiled');
  return () => rmSync(folder, { recursive: true, force: true });
}
