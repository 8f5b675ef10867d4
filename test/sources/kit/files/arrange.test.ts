import { expect, it } from 'vitest';
import { arrange } from '../../../../src/sources/kit/files/arrange.ts';
import { memoryInput } from '../../../contracts/memory-input.ts';

const files = { '.DS_Store': 'x', 'a.json': '[]', 'b.txt': '[]', 'c.jsonl': '{}', 'media/d.png': 'x' };

it('arrange() looks into files of JSON alone, and sorts all paths', async () => {
  const opened: string[] = [];
  const { layouts, sorted } = await arrange(memoryInput(files), {
    async findLayout(_, path) {
      opened.push(path);
      return path === 'a.json' ? { kind: 'messages' as const } : undefined;
    },
    verdict: (layout, path) => layout?.kind ?? (path.startsWith('media/') ? { skip: 'Copy of a file' } : undefined),
  });
  expect(opened).toEqual(['a.json', 'c.jsonl']);
  expect([...layouts.keys()]).toEqual(['a.json']);
  expect(sorted.of('messages')).toEqual(['a.json']);
  expect(sorted.skipped.map(({ path }) => path)).toEqual(['.DS_Store', 'media/d.png']);
  expect(sorted.unknown).toEqual(['b.txt', 'c.jsonl']);
});

it('arrange() looks into a file that was passed alone, whatever its name is', async () => {
  const { layouts } = await arrange(memoryInput({ 'answer.txt': '[]' }), {
    findLayout: async () => ({ kind: 'messages' as const }),
    verdict: (layout) => layout?.kind,
  });
  expect([...layouts.keys()]).toEqual(['answer.txt']);
});

it('arrange() does not read a file that is not what its name says', async () => {
  const { input } = await arrange(memoryInput({ 'a.json': '<html>Sign in</html>' }), {
    findLayout: async () => undefined,
    verdict: () => undefined,
  });
  await expect(input.head('a.json', 10)).rejects.toThrow('a.json');
});
