import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Makes a folder hold these files and no others. Each is there whole or not at all, and one whose lines only became more is
 * appended to, as a system that goes on writing would.
 */
export function writeExport(folder: string, files: ReadonlyMap<string, readonly string[]>): void {
  mkdirSync(folder, { recursive: true });
  for (const name of readdirSync(folder)) if (!files.has(name)) rmSync(join(folder, name));
  for (const [name, lines] of files) writeLines(join(folder, name), `${lines.join('\n')}\n`);
}

function writeLines(path: string, text: string): void {
  const before = existsSync(path) ? readFileSync(path, 'utf8') : '';
  if (before === text) return;
  if (before !== '' && text.startsWith(before)) writeFileSync(path, text.slice(before.length), { flag: 'a' });
  else {
    writeFileSync(`${path}.new`, text);
    renameSync(`${path}.new`, path);
  }
}
