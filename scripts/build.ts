/**
 * Builds what the published package runs: dist/, from src/.
 *
 * `node scripts/build.ts`. TypeScript becomes JavaScript and declarations; everything else (SQL, JSON, pages) is copied
 * with the same layout, so that a path relative to a module stays true. No source maps: the JavaScript keeps names and comments.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, rmSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

/** @param outFolder Absolute. Emptied first. */
export function build(outFolder: string): void {
  rmSync(outFolder, { recursive: true, force: true });
  const compiler = `${root}node_modules/typescript/bin/tsc`;
  const options = ['--project', `${root}tsconfig.build.json`, '--outDir', outFolder];
  execFileSync(process.execPath, [compiler, ...options], { stdio: ['ignore', 2, 2] });
  cpSync(`${root}src`, outFolder, { recursive: true, filter: isFolderOrAsset });
}

const isFolderOrAsset = (path: string) => statSync(path).isDirectory() || !path.endsWith('.ts');

if (import.meta.main) build(`${root}dist`);
