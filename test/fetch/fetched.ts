import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageFile } from '../../src/lib/package-files.ts';

/** The recipe of a provider, as a file that asks `url` instead, without some steps. @returns Its path. */
export function localRecipe(provider: string, url: string, folder: string, without: readonly string[] = []): string {
  const text = readFileSync(packageFile(`mappings/fetch/${provider}.yaml`), 'utf8');
  const path = join(folder, `${provider}.yaml`);
  const address = /^address: '?(?:https:\/\/[^/\s']+|\{[a-z]+\})([^\s']*)'?$/m;
  const hosts = /^hosts: .*$/m;
  const left = without.reduce((all, step) => all.replace(stepOf(step), ''), text);
  writeFileSync(
    path,
    left.replace(address, (_, rest: string) => `address: '${url}${rest}'`).replace(hosts, 'hosts: []'),
  );
  return path;
}

/** A step as a recipe writes it: up to the next one. */
const stepOf = (name: string) => new RegExp(`^  - name: ${name}\\n(?:    .*\\n)*`, 'm');

/** Every row in the files of an export folder: of lines, and of the lists of whole answers. */
export function rowsIn(folder: string): readonly unknown[] {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((file) => file.isFile() && /\.(?:nd)?json$/.test(file.name) && file.name !== 'chatferry-fetch.json')
    .map((file) => join(file.parentPath, file.name));
  return files.toSorted().flatMap((path) => {
    const text = readFileSync(path, 'utf8');
    if (path.endsWith('.ndjson'))
      return text
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line) as unknown);
    return listsIn(JSON.parse(text));
  });
}

function listsIn(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(listsIn);
}
