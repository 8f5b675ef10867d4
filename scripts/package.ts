/**
 * Packs what is published, and prints the path of the tarball: `node scripts/package.ts [FOLDER]` (default: here).
 *
 * The repository's own package.json is for developers: it is private, brings a Node along (200 MB) and runs the source.
 * Users get the built files and a package.json without all that. It is written here and not by `prepack`, because
 * `ignore-scripts` in .npmrc stops that as well; `npm pack` by itself is stopped by the `pack-destination` there.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, installedDependencies } from './build.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const published = ['bin', 'mappings', 'samples', 'docs', 'README.md', 'CHANGELOG.md', 'SECURITY.md', 'LICENSE'];

/** The pages, without the site that is made of them. */
const isPublished = (path: string) => !path.includes('.vitepress');

/** @returns Absolute path of the tarball, in `folder`. */
export async function packInto(folder: string): Promise<string> {
  const staging = mkdtempSync(join(tmpdir(), 'chatferry-package-'));
  try {
    await build(join(staging, 'dist'));
    for (const path of published.filter((path) => existsSync(root + path))) {
      cpSync(root + path, join(staging, path), { recursive: true, filter: isPublished });
    }
    writeFileSync(join(staging, 'package.json'), `${JSON.stringify(publishedManifest(), null, 2)}\n`);
    return pack(staging, folder);
  } finally {
    rmSync(staging, { recursive: true, force: true });
  }
}

function publishedManifest() {
  const manifest = JSON.parse(readFileSync(`${root}package.json`, 'utf8'));
  const { private: _, scripts, allowScripts, devDependencies, optionalDependencies, dependencies, ...kept } = manifest;
  return {
    ...kept,
    exports: {
      // `require()` loads the same modules as `import`, so both see the same classes.
      '.': {
        require: { types: './dist/index.d.cts', default: './dist/index.cjs' },
        default: { types: './dist/index.d.ts', default: './dist/index.js' },
      },
      './package.json': './package.json',
    },
    files: ['dist', ...published],
    dependencies: Object.fromEntries(installedDependencies.map((name) => [name, dependencies[name]])),
  };
}

function pack(staging: string, folder: string): string {
  const output = execFileSync('npm', ['pack', '--json', '--pack-destination', resolve(folder)], {
    cwd: staging,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 2],
    shell: process.platform === 'win32',
  });
  const [{ filename }] = JSON.parse(output) as [{ filename: string }];
  return resolve(folder, filename);
}

if (import.meta.main) console.log(await packInto(process.argv[2] ?? '.'));
