import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { packageFile } from '../../lib/package-files.ts';
import { sourceNamed } from '../../plan/choose-source.ts';
import type { DroppedFiles } from '../files/dropped.ts';
import type { HowTo } from '../shapes.ts';

/** The sample that is tried: a Slack export. */
const sample = 'samples/slack/every-feature/export/';

/** Copies the sample as if it had been dropped. @returns Its path from the folder of the desk. */
export async function copySample(dropped: DroppedFiles): Promise<string> {
  const folder = fileURLToPath(packageFile(sample));
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const files = [];
  for (const { parentPath, name } of entries) {
    const path = join(parentPath, name);
    const { size: sizeBytes, mtimeMs } = statSync(path);
    const below = relative(folder, path).replaceAll(sep, '/');
    const file = { name: `slack-sample/${below}`, sizeBytes, modifiedMs: Math.round(mtimeMs) };
    await dropped.receive({ ...file, at: 0, bytes: readFileSync(path) });
    files.push(file);
  }
  return await dropped.finish(files);
}

/** The part of a source's page that says where the export comes from. Its commands begin at the first of them. */
export function readHowTo(source: string): HowTo {
  const { name, title } = sourceNamed(source);
  const page = readFileSync(packageFile(join('docs', 'reference', 'sources', `${name}.md`)), 'utf8');
  const section = /^## How to get the export\n+(.*?)(?=^## )/ms.exec(page)?.[1] ?? '';
  const at = section.search(/^(?: {4}|```)/m);
  return at === -1
    ? { title, text: section, commands: '' }
    : { title, text: section.slice(0, at), commands: section.slice(at) };
}
