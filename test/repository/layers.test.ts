import { describe, expect, it } from 'vitest';
import { circlesOf, readArrows } from './imports.ts';
import { wrongArrow } from './layers.ts';
import { modules } from './modules.ts';

const arrows = modules.flatMap(({ path, code }) => readArrows(path, code));

describe('the modules of src', () => {
  it('have no arrow that points the wrong way', () => {
    expect(arrows.length).toBeGreaterThan(100);
    expect(arrows.map(wrongArrow).filter((wrong) => wrong !== undefined)).toEqual([]);
  });

  it('import each other in no circle', () => {
    expect(circlesOf(arrows)).toEqual([]);
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
    ['service/client/client.ts', 'upload/lanes/lanes.ts', 'upload lies above service'],
    ['sources/slack/index.ts', 'mapping/muid.ts', 'mapping lies above sources'],
    ['sources/slack/index.ts', 'service/limits.ts', 'knows nothing of the service'],
    ['sources/slack/text.ts', 'sources/discord/text.ts', 'one source never imports another'],
    ['sources/slack/index.ts', 'sources/registry.ts', 'a source knows nothing of the others'],
    ['sources/slack/index.ts', 'sources/tables/row.ts', 'what several sources need is in the kit'],
    ['sources/kit/entries.ts', 'sources/slack/index.ts', 'one source never imports another'],
    ['sources/slack/index.ts', 'config/options.ts', 'config lies above sources'],
    ['sandbox/http/app.ts', 'service/client/client.ts', 'shares shapes and limits with the client, never logic'],
    ['sandbox/http/app.ts', 'upload/pace/pace.ts', 'upload lies above sandbox'],
    ['sandbox/data/store.ts', 'sandbox/operations/listing.ts', 'operations lies above data'],
    ['report/render/html.ts', 'checkpoint/base/store.ts', 'drawn from its own data'],
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
    ['sandbox/http/app.ts', 'service/contract/messages.ts'],
    ['report/render/html.ts', 'model/books.ts'],
  ])('has nothing against src/%s importing src/%s', (from, to) => {
    expect(wrongArrow({ from, to })).toBeUndefined();
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
