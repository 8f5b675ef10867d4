import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { evidences, type EvidenceName } from '../../../src/sources/tables/propose/evidence.ts';

const page = readFileSync('docs/understand/evidence.md', 'utf8');
const folder = 'src/sources/tables/propose';
const code = (file: string) => readFileSync(join(folder, file), 'utf8');

it('docs/understand/evidence.md lists the evidence with its points, and the files that look for it', () => {
  const listed = [...page.matchAll(/^\| `(\w+)` \| ([+-]\d+) \| (fact|name) \| (.*) \| (.*) \|$/gm)];
  expect(listed.map(([, name, points, kind, words]) => [name, Number(points), kind, words])).toEqual(
    (Object.keys(evidences) as EvidenceName[]).map((name) => {
      const one = evidences[name];
      return [name, one.points, 'isFact' in one ? 'fact' : 'name', one.words];
    }),
  );
  const missing = listed.filter(([, name, , , , files]) =>
    [...files!.matchAll(/`([^`]+)`/g)].some(([, file]) => !new RegExp(`\\b${name}\\b`).test(code(file!))),
  );
  expect(missing.map(([, name]) => name)).toEqual([]);
});

it('docs/understand/evidence.md names files that exist', () => {
  const files = [...page.matchAll(/`((?:message|graph|tables|visible)\/[\w-]+\.ts)`/g)].map(([, file]) => file!);
  expect(files.filter((file) => !existsSync(join(folder, file)))).toEqual([]);
});
