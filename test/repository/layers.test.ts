import { describe, expect, it } from 'vitest';
import { circlesOf, readArrows } from './imports.ts';
import { pastDoor, wrongArrow } from './layers.ts';
import { modules } from './modules.ts';

const arrows = modules.flatMap(({ path, code }) => readArrows(path, code));

describe('the modules of src', () => {
  it('have no arrow that points the wrong way', () => {
    expect(arrows.length).toBeGreaterThan(100);
    expect(arrows.map(wrongArrow).filter((wrong) => wrong !== undefined)).toEqual([]);
  });

  it('import from another folder only its doors: files that lie directly in it', () => {
    expect(arrows.map(pastDoor).filter((past) => past !== undefined)).toEqual([]);
  });

  it('import each other in no circle', () => {
    expect(circlesOf(arrows)).toEqual([]);
  });
});

/** What Node loads at once: neither types nor `import('…')`. */
const atOnce = modules.flatMap(({ path, code }) =>
  readArrows(path, code.replace(/^(?:import|export) type .*$/gm, '').replace(/\bimport\([^)]*\)/g, '')),
);

describe('the registry of sources', () => {
  it('loads no module that reads a source', () => {
    const loaded = new Set(['sources/registry.ts']);
    for (const path of loaded) for (const { from, to } of atOnce) if (from === path) loaded.add(to);
    expect(loaded.size).toBeGreaterThan(80);
    expect([...loaded].filter((path) => /\/(?:read|probe|message|rows)\.ts$/.test(path))).toEqual([]);
  });
});

describe('a command that looks at a store', () => {
  it.each(['status', 'report', 'verify', 'explain'])('%s loads no source at once', (name) => {
    const parts = ['report/report-files.ts', 'commands/check.ts', `commands/check/${name}.ts`];
    const loaded = new Set([`cli/check/${name}.ts`, ...parts]);
    for (const path of loaded) for (const { from, to } of atOnce) if (from === path) loaded.add(to);
    expect(loaded.size).toBeGreaterThan(100);
    expect([...loaded].filter((path) => /^sources\/(?:[^/]+\/index|registry)\.ts$/.test(path))).toEqual([]);
  });
});

describe('circlesOf()', () => {
  it.each([
    ['nothing in a tree', ['a b', 'a c', 'b d', 'c d'], []],
    ['two that import each other', ['a b', 'b a'], ['a -> b -> a']],
    ['one behind a way that leads to it', ['x a', 'a b', 'b c', 'c a'], ['a -> b -> c -> a']],
    ['itself', ['a a'], ['a -> a']],
  ])('finds %s', (_, names, circles) => {
    const given = names.map((name) => name.split(' ')).map(([from, to]) => ({ from: from!, to: to! }));
    expect(circlesOf(given)).toEqual(circles);
  });
});

describe('wrongArrow()', () => {
  it.each([
    ['service/client.ts', 'delivery/lanes.ts', 'delivery lies above service'],
    ['sources/slack/index.ts', 'mapping/ids.ts', 'mapping lies above sources'],
    ['sources/slack/index.ts', 'service/limits.ts', 'knows nothing of the service'],
    ['sources/slack/text.ts', 'sources/discord/text.ts', 'one source never imports another'],
    ['sources/slack/index.ts', 'sources/registry.ts', 'a source knows nothing of the others'],
    ['sources/slack/index.ts', 'sources/tables/row.ts', 'what several sources need is in the kit'],
    ['sources/kit/entries.ts', 'sources/slack/index.ts', 'one source never imports another'],
    ['sources/slack/index.ts', 'config/options.ts', 'config lies above sources'],
    ['sandbox/app.ts', 'service/client.ts', 'shares shapes and limits with the client, never logic'],
    ['sandbox/app.ts', 'delivery/pace.ts', 'delivery lies above sandbox'],
    ['sandbox/data/groups.ts', 'sandbox/operations/listing.ts', 'operations lies above data'],
    ['report/html.ts', 'store/base/store.ts', 'drawn from its own data'],
    ['lib/hash.ts', 'helpers/more.ts', 'not in the list of layers'],
    ['cli/plan.ts', 'index.ts', 'index.ts lies above cli'],
  ])('names src/%s importing src/%s', (from, to, because) => {
    expect(wrongArrow({ from, to })).toContain(`src/${from} imports src/${to}: `);
    expect(wrongArrow({ from, to })).toContain(because);
  });

  it.each([
    ['cli.ts', 'cli/main.ts'],
    ['plan/plan.ts', 'sources/registry.ts'],
    ['sources/registry.ts', 'sources/slack/index.ts'],
    ['sources/slack/index.ts', 'sources/source.ts'],
    ['sources/slack/index.ts', 'sources/kit/entries.ts'],
    ['sources/csv/index.ts', 'sources/tables/row.ts'],
    ['sources/kit/codes.ts', 'sources/source.ts'],
    ['sources/slack/index.ts', 'io/json/json-stream.ts'],
    ['sandbox/app.ts', 'service/import-item.ts'],
    ['report/html.ts', 'model/totals.ts'],
  ])('has nothing against src/%s importing src/%s', (from, to) => {
    expect(wrongArrow({ from, to })).toBeUndefined();
  });
});

describe('pastDoor()', () => {
  it('reports an import of a private file of a folder', () => {
    expect(pastDoor({ from: 'plan/plan.ts', to: 'report/collect/forecast.ts' })).toBe(
      'src/plan/plan.ts imports src/report/collect/forecast.ts: src/report/collect/ is private, import a file that lies directly in src/report/',
    );
  });

  it('reports an import of what pages share by anything else, and of what they do not share', () => {
    expect(pastDoor({ from: 'desk/desk.ts', to: 'viewer/page/door.tsx' })).toContain('is private');
    expect(pastDoor({ from: 'desk/page/send.ts', to: 'viewer/page/api.ts' })).toContain('is private');
  });

  it.each([
    ['a door', 'plan/plan.ts', 'report/tally.ts'],
    ['its own folder', 'plan/plan.ts', 'plan/reading/export-reader.ts'],
    ['a library', 'plan/plan.ts', 'lib/text/count.ts'],
    ['what pages share', 'desk/page/send.ts', 'viewer/page/door.tsx'],
    ['a folder inside its own', 'sources/slack/index.ts', 'sources/kit/text/emoji.ts'],
  ])('has nothing against an import of %s', (_, from, to) => {
    expect(pastDoor({ from, to })).toBeUndefined();
  });
});

describe('readArrows()', () => {
  it.each([
    ["import { a } from './a.ts';"],
    ["import type { A } from './a.ts';"],
    ["import {\n  a,\n  b,\n} from './a.ts';"],
    ["import './a.ts';"],
    ["export * from './a.ts';"],
    ["const a = await import('./a.ts');"],
    ["let a: import('./a.ts').A;"],
    ["import a from './a.ts' with { type: 'json' };"],
  ])('finds %j', (code) => {
    expect(readArrows('cli/plan.ts', code)).toEqual([{ from: 'cli/plan.ts', to: 'cli/a.ts' }]);
  });

  it('follows a path upwards and leaves packages alone', () => {
    const code = "import { z } from 'zod';\nimport { hash } from '../../lib/hash.ts';";
    expect(readArrows('sources/slack/index.ts', code)).toEqual([{ from: 'sources/slack/index.ts', to: 'lib/hash.ts' }]);
  });
});
