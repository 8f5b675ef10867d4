import { execFile } from 'node:child_process';
import {
  existsSync,
  globSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { packInto } from '../../scripts/package.ts';
import * as library from '../../src/index.ts';
import { everyNth, isNightly } from '../tier.ts';
import { npmInstall, userEnv } from './npm-install.ts';
import { compiler, userProjects, writeUserProject } from './user-project.ts';
import { root, trackedFiles } from '../repository/tracked-files.ts';

const run = promisify(execFile);

interface Manifest {
  readonly version: string;
  readonly engines: { readonly node: string };
  readonly dependencies: Readonly<Record<string, string>>;
}
const ours = JSON.parse(readFileSync(`${root}package.json`, 'utf8')) as Manifest;
/** `22.19` of `>=22.19`. */
const oldestVersion = ours.engines.node.replace('>=', '');

const folder = mkdtempSync(join(tmpdir(), 'chatferry-user-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const env = userEnv(folder);

/** Runs a program as a user would who has the package installed in `folder`. */
const asUser = (program: string, ...args: string[]) =>
  run(program, args, { cwd: folder, env, shell: process.platform === 'win32' });

const tarball = await packInto(folder);

describe('the tarball', () => {
  let files: string[] = [];
  let manifest: Record<string, unknown> = {};

  beforeAll(async () => {
    const { stdout } = await asUser('tar', '-tzf', tarball);
    files = stdout
      .trim()
      .split('\n')
      .map((path) => path.replace(/^package\//, ''));
    manifest = JSON.parse((await asUser('tar', '-xzOf', tarball, 'package/package.json')).stdout);
  });

  it('holds the program, the declarations and the pages for people', () => {
    const wanted = [
      'bin/chatferry.mjs',
      'dist/bundle/cli.js',
      'dist/bundle/index.js',
      'dist/bundle/pack-thread.js',
      'dist/index.js',
      'dist/index.cjs',
      'dist/index.d.ts',
      'dist/index.d.cts',
      'dist/THIRD-PARTY.txt',
      'README.md',
      'SECURITY.md',
      'LICENSE',
    ];
    expect(wanted.filter((path) => !files.includes(path))).toEqual([]);
  });

  it('holds every mapping, sample, page and asset of the repository', () => {
    const tracked = trackedFiles();
    const copied = tracked.filter((path) => /^(mappings|samples|docs)\/(?!\.vitepress)/.test(path));
    const assets = tracked
      .filter((path) => /^src\/.*\.(?:sql|css|js)$/.test(path))
      .map((path) => path.replace(/^src/, 'dist'));
    expect([...copied, ...assets].filter((path) => !files.includes(path))).toEqual([]);
  });

  it('holds nothing that is for developers', () => {
    const allowed =
      /^(bin|dist|mappings|samples|docs)\/(?!\.vitepress)|^(README|CHANGELOG|SECURITY)\.md$|^LICENSE$|^package\.json$/;
    expect(files.filter((path) => !allowed.test(path))).toEqual([]);
    expect(files.filter((path) => /^(bin|dist)\/.*(?<!\.d)\.[cm]?ts$/.test(path))).toEqual([]);
  });

  it('has a package.json without the runtime, the tools and the scripts', () => {
    expect(manifest).toMatchObject({
      name: 'chatferry',
      version: ours.version,
      engines: ours.engines,
      dependencies: { 'better-sqlite3': ours.dependencies['better-sqlite3'] },
      bin: { chatferry: 'bin/chatferry.mjs' },
      exports: {
        '.': {
          require: { types: './dist/index.d.cts', default: './dist/index.cjs' },
          default: { types: './dist/index.d.ts', default: './dist/index.js' },
        },
      },
      author: 'The Chatferry authors',
      license: 'MIT',
      homepage: expect.stringMatching(/^https:/),
      bugs: expect.stringMatching(/^https:/),
      repository: { type: 'git', url: expect.stringMatching(/^git\+https:/) },
      keywords: expect.arrayContaining(['chat', 'migration']),
    });
    for (const field of ['private', 'scripts', 'devDependencies', 'optionalDependencies', 'allowScripts']) {
      expect(manifest).not.toHaveProperty(field);
    }
  });
});

// It compresses the whole repository before it fails.
it.runIf(isNightly)('npm pack by itself packs nothing, and says what does', async () => {
  const { code, stderr } = await run('npm', ['pack', '--loglevel=error'], {
    cwd: root,
    env,
    shell: process.platform === 'win32',
  }).then(
    () => ({ code: 0, stderr: '' }),
    (error) => error as { code: number; stderr: string },
  );
  expect({ code, stderr }).toEqual({
    code: expect.any(Number),
    stderr: expect.stringContaining('use npm run package'),
  });
  expect(code).not.toBe(0);
  expect(existsSync(join(root, `chatferry-${ours.version}.tgz`))).toBe(false);
});

// The following tests run on the oldest Node that the package allows, on Linux.
const oldestNode = process.platform === 'linux' ? [`node-linux-${process.arch}@~${oldestVersion}`] : [];
const isInstalled = await npmInstall(folder, [tarball, ...oldestNode]);

describe.skipIf(!isInstalled)('the installed package', () => {
  it.skipIf(process.platform !== 'linux')('runs on the oldest Node that it allows', async () => {
    const { stdout } = await asUser('npx', 'node', '--version');
    expect(stdout).toMatch(new RegExp(`^v${oldestVersion}\\.`));
  });

  it('answers npx chatferry --version', async () => {
    const { stdout } = await asUser('npx', 'chatferry', '--version');
    expect(stdout.trim()).toContain(ours.version);
  });

  it('refers to pages by address, because the package does not contain their files', async () => {
    const { stdout } = await asUser('npx', 'chatferry', 'verify', '--help');
    expect(stdout.replaceAll(/\s+/g, '')).toContain('/blob/main/docs/guides/verify.md');
  });

  it('comes without the packages that are inside', async () => {
    const names = readdirSync(join(folder, 'node_modules')).filter((name) => !name.startsWith('.'));
    expect(names).toContain('better-sqlite3');
    expect(names).not.toContain('commander');
    expect(names).not.toContain('undici');
    expect(names).not.toContain('zod');
  });

  it('plans and imports a packaged sample into the sandbox', async () => {
    const sample = 'node_modules/chatferry/samples/slack/every-feature/export';
    const plan = await lastLine('plan');
    expect(plan.planned).toBeGreaterThan(0);
    expect(await lastLine('import')).toMatchObject({ read: plan.read, imported: plan.planned, pending: 0 });

    async function lastLine(command: string): Promise<{ read: number; planned: number; imported: number }> {
      // Exit 3 is a finished run that rejected something, and the sample has things to reject.
      const { stdout } = await asUser('npx', 'chatferry', command, sample, '--json', '--quiet').catch((error) => {
        if (error.code !== 3) throw error;
        return error;
      });
      return JSON.parse(stdout.trim().split('\n').at(-1)!);
    }
  });

  it('gives JavaScript the same names as the source', async () => {
    const code = "console.log(JSON.stringify(Object.keys(await import('chatferry'))))";
    const { stdout } = await asUser('node', '--input-type=module', '--eval', code);
    expect(JSON.parse(stdout).sort()).toEqual(Object.keys(library).sort());
  });

  it('takes 60 MB at most with all its dependencies, as the README states', () => {
    const modules = join(folder, 'node_modules');
    const ofNode = /^(node|node-linux-.*|\..*)$/;
    const bytes = readdirSync(modules)
      .filter((name) => !ofNode.test(name))
      .flatMap((name) => globSync(`${name}/**/*`, { cwd: modules }))
      .reduce((sum, path) => sum + lstatSync(join(modules, path)).size, 0);
    expect(bytes).toBeLessThan(60_000_000);
    const [, stated] = /takes (\d+) MB/.exec(readFileSync(join(root, 'README.md'), 'utf8'))!;
    expect(Math.abs(bytes / 1_000_000 - Number(stated))).toBeLessThan(4);
  });

  it.each([
    ['import', ['--input-type=module', '--eval', "await import('chatferry')"]],
    ['require()', ['--input-type=commonjs', '--eval', "require('chatferry')"]],
    ['the program', ['node_modules/chatferry/bin/chatferry.mjs', '--version']],
  ])('reports the required version on an old Node by %s', async (_, args) => {
    const pretend = "data:text/javascript,Object.defineProperty(process.versions,'node',{value:'20.11.1'})";
    const { code, stderr } = await asUser('node', '--import', pretend, ...args).catch((error) => error);
    expect({ code, stderr }).toEqual({
      code: expect.any(Number),
      stderr: expect.stringContaining(`Chatferry needs Node ${oldestVersion} or newer, found 20.11.1 at "`),
    });
  });

  it('is the same to require() as to import', async () => {
    const code =
      "import('chatferry').then((module) => console.log(module.UsageError === require('chatferry').UsageError))";
    expect((await asUser('node', '--input-type=commonjs', '--eval', code)).stdout.trim()).toBe('true');
  });

  it.each(everyNth(3, userProjects))(
    'compiles and runs in a project of $type under module: $module',
    async (project) => {
      const { sourcePath, programPath, compile } = writeUserProject(folder, project);
      await expect(asUser('node', ...compile, sourcePath)).resolves.toMatchObject({ stdout: '' });
      expect((await asUser('node', programPath)).stdout.trim()).toBe('exit 0, UsageError, [redacted]');
    },
  );

  it('has declarations of at most 60 kB, which name no package but Node', () => {
    const text = readFileSync(join(folder, 'node_modules/chatferry/dist/index.d.ts'), 'utf8');
    expect(text.length).toBeLessThanOrEqual(60_000);
    const named = [...text.matchAll(/\bfrom "(.+)";$|\bimport\("(.+?)"\)/gm)].map(
      ([, from, inline]) => from ?? inline!,
    );
    expect(named.filter((name) => !name.startsWith('node:'))).toEqual([]);
  });

  it('gives TypeScript the types, which need those of Node alone', async () => {
    const names = Object.keys(library);
    // Each line is an error if the name is missing, and if it is `any`.
    const lines = names.map(
      (name) => `export const ${name}Type: 0 extends 1 & typeof ${name} ? never : typeof ${name} = ${name};`,
    );
    writeFileSync(join(folder, 'user.ts'), `import { ${names.join(', ')} } from 'chatferry';\n${lines.join('\n')}\n`);
    const compile = compiler('nodenext', '--noEmit', '--skipLibCheck', 'false');
    await expect(asUser('node', ...compile, 'user.ts')).resolves.toMatchObject({ stdout: '' });
  });
});
