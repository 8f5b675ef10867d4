import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { readConfigFile } from '../../src/config/config-file.ts';
import { loadMapping } from '../../src/mapping/load.ts';
import { temporaryFolderInMemory } from '../scenes/temporary-folder.ts';

const home = temporaryFolderInMemory();

function fileOf(text: string): string {
  const path = join(home.make(), 'my.yaml');
  writeFileSync(path, text);
  return path;
}

const uids = (count: number) =>
  Array.from({ length: count }, (_, index) => `    U${String(index).padStart(8, '0')}: person-${index}\n`).join('');

it('loadMapping() does not compare each uid with all others', async () => {
  // By default the YAML parser does, with `some`: 31 s for 40,000 uids.
  const count = 2_000;
  const path = fileOf(`people:\n  uids:\n${uids(count)}`);
  let comparisons = 0;
  const { some } = Array.prototype;
  const spy = vi.spyOn(Array.prototype, 'some').mockImplementation(function (this: unknown[], test, self) {
    return some.call(this, (...element) => {
      comparisons += 1;
      return test.apply(self, element);
    });
  });
  onTestFinished(() => spy.mockRestore());
  expect(Object.keys((await loadMapping(path)).rules.people.uids)).toHaveLength(count);
  expect(comparisons).toBeLessThan(10 * count);
});

it('loadMapping() names a duplicate key among many', async () => {
  const path = fileOf(`people:\n  uids:\n${uids(100)}    U00000007: other\n`);
  await expect(loadMapping(path)).rejects.toThrow(/my\.yaml:103:5: the key "[^"]*" is there twice/);
});

it.each([['people: &p\n  uids: *p\n'], ['source: &s\n  messages: [1, { a: *s }]\n']])(
  'loadMapping() names an alias inside the value that it refers to',
  async (text) => {
    const path = fileOf(text);
    await expect(loadMapping(path)).rejects.toThrow(
      /my\.yaml:2:\d+: the alias "\*[ps]" is inside the node that it refers to/,
    );
    expect(() => readConfigFile(path)).toThrow(
      /my\.yaml:2:\d+: the alias "\*[ps]" is inside the node that it refers to/,
    );
  },
);

it('loadMapping() accepts an alias elsewhere', async () => {
  const path = fileOf('people:\n  uids: &ids { a: b }\nconversations:\n  guids: *ids\n');
  expect((await loadMapping(path)).rules.conversations.guids).toEqual({ a: 'b' });
});
