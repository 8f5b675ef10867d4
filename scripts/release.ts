/**
 * Moves the files in `changes/` into CHANGELOG.md, under the version of package.json: `npm run release-notes`.
 *
 * `changes/README.md` says how a file looks. CHANGELOG.md gets a section with a heading for each kind, and the entries in it sorted by area.
 * The files are deleted, and `changes/README.md` stays.
 */
import { globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Folders of `changes/`, in the order of a section. */
export const kinds = ['security', 'added', 'changed', 'fixed', 'removed'] as const;

/** Beginnings of file names, in the order of a heading. */
export const areas = [
  ...['sources', 'tables', 'mapping', 'plan', 'import', 'verify', 'repair', 'report', 'media', 'sync', 'fleet'],
  ...['desk', 'sandbox', 'cli', 'library', 'package', 'security'],
] as const;

export interface Change {
  /** Below `changes/`, with forward slashes: `fixed/sources-slack-threads.md`. */
  readonly path: string;
  readonly kind: (typeof kinds)[number];
  readonly area: (typeof areas)[number];
  /** Its sentences, a line each. */
  readonly lines: readonly string[];
}

interface Release {
  /** `1.2.0`. */
  readonly version: string;
  /** `2027-01-31`. */
  readonly date: string;
}

/** The changes in the order in which a release lists them. @throws Error if a file is of no kind or no area. */
export function readChanges(folder: string): readonly Change[] {
  const paths = globSync('**/*.md', { cwd: folder }).map((path) => path.replaceAll('\\', '/'));
  const changes = paths
    .filter((path) => path !== 'README.md')
    .sort()
    .map((path) => readChange(folder, path));
  return kinds.flatMap((kind) =>
    areas.flatMap((area) => changes.filter((change) => change.kind === kind && change.area === area)),
  );
}

function readChange(folder: string, path: string): Change {
  const kind = kinds.find((name) => name === dirname(path));
  if (kind === undefined) throw new Error(`changes/${path} is in no folder of a kind: ${kinds.join(', ')}`);
  const area = areas.find((name) => basename(path).startsWith(`${name}-`));
  if (area === undefined) throw new Error(`changes/${path} begins with no area: ${areas.join(', ')}`);
  const lines = readFileSync(join(folder, path), 'utf8').trim().split('\n');
  return { path, kind, area, lines };
}

/** The section of a release, which ends with a line feed. */
export function sectionOf(changes: readonly Change[], { version, date }: Release): string {
  const groups = kinds.flatMap((kind) => {
    const entries = changes.filter((change) => change.kind === kind);
    if (entries.length === 0) return [];
    const title = kind[0]!.toUpperCase() + kind.slice(1);
    return [`### ${title}\n\n${entries.map(({ area, lines }) => `- ${area}: ${lines.join(' ')}\n`).join('')}`];
  });
  return `## ${version} (${date})\n\n${groups.join('\n')}`;
}

/**
 * The changelog with a section before those of earlier releases.
 *
 * @throws Error if it has a section of that version.
 */
export function withSection(changelog: string, section: string): string {
  const [title] = section.split(' (', 1);
  const [, ...earlier] = changelog.split(/^(?=## )/m);
  if (earlier.some((text) => text.startsWith(`${title} `))) throw new Error(`CHANGELOG.md already has "${title}"`);
  return ['# Changelog\n', section, ...earlier.map((text) => `${text.trimEnd()}\n`)].join('\n');
}

/**
 * Writes the section and deletes the files.
 *
 * @param root Folder of CHANGELOG.md and `changes/`.
 * @returns How many changes the release has. @throws Error if there are none; nothing is written then.
 */
export function releaseChanges(root: string, release: Release): number {
  const folder = join(root, 'changes');
  const changes = readChanges(folder);
  if (changes.length === 0) throw new Error('changes/ holds no change');
  const changelog = readFileSync(join(root, 'CHANGELOG.md'), 'utf8');
  writeFileSync(join(root, 'CHANGELOG.md'), withSection(changelog, sectionOf(changes, release)));
  for (const { path } of changes) rmSync(join(folder, path));
  return changes.length;
}

if (import.meta.main) {
  const root = fileURLToPath(new URL('..', import.meta.url));
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
  const count = releaseChanges(root, { version, date: new Date().toISOString().slice(0, 10) });
  console.log(`CHANGELOG.md: ${count} changes under ${version}`);
}
