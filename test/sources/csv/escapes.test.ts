import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findEscapes, unescaped } from '../../../src/io/csv/csv-escapes.ts';
import { run, runJson } from '../../cli/in-process.ts';
import { confirmReading } from '../../scenes/confirm-reading.ts';
import { temporaryFolder } from '../../scenes/temporary-folder.ts';
import { testSeed } from '../../seed.ts';

const home = temporaryFolder();

describe('unescaped()', () => {
  it('gives back what COPY of PostgreSQL writes', () => {
    const written = (text: string) =>
      text.replaceAll(/[\b\f\n\r\t\v\\]/g, (found) => `\\${'bfnrtv\\'['\b\f\n\r\t\v\\'.indexOf(found)]}`);
    const text = fc.string({ unit: fc.constantFrom('a', '\\', '\n', '\t', 'n', 'N', '0', 'é', '\r', '\b') });
    fc.assert(
      fc.property(text, (original) => {
        fc.pre(written(original) !== '\\N');
        expect(unescaped(written(original))).toBe(original);
      }),
      { seed: testSeed },
    );
  });

  it('decodes character codes, and keeps the marker for no value', () => {
    expect([unescaped('\\x41\\101'), unescaped('\\N'), unescaped('C:/no')]).toEqual(['AA', '\\N', 'C:/no']);
  });
});

describe('findEscapes()', () => {
  it.each([
    ['COPY', '1\tines\tone\\ntwo\t\\N\n2\ttom\ta\\tb\t\\N\n', 'sequences'],
    ['mysql --batch', 'id\tbody\n1\tone\\ntwo\n2\tC:\\\\temp\n', 'sequences'],
    ['a dump with backslashed quotes', 'id,body\n1,"she said \\"yes\\" to it"\n', 'quotes'],
  ] as const)('finds them in %s', (_, head, kind) => {
    expect(findEscapes(head)[kind]).toMatch(/times/);
  });

  it.each([
    ['paths that Windows writes', 'id\tbody\n1\tC:\\Users\\ines\n2\tD:\\data\n'],
    ['a path that ends a quoted field', 'id,path\n1,"C:\\temp\\"\n2,"D:\\"\n'],
    ['quotes that are doubled', 'id,body\n1,"she said ""yes"" to it"\n'],
    ['rows with tabs that quote', 'id\tbody\n1\t"one\\ntwo"\n'],
  ])('finds none in %s', (_, head) => {
    expect(findEscapes(head)).toEqual({ quotes: undefined, sequences: undefined });
  });
});

const copy = `1\tharbour\tines\t2026-03-02T09:15:00Z\tThe tide\\nis in
2\tharbour\ttomasz\t2026-03-02T09:16:00Z\ta\\tb and C:\\\\temp
3\tharbour\tines\t2026-03-02T09:17:00Z\t"Quoted" words
\\.
`;

const backslashed = `id,room,author,time,text
1,harbour,ines,2026-03-02T09:15:00Z,"she said \\"yes\\", twice"
2,harbour,tomasz,2026-03-02T09:16:00Z,"plain, with a comma"
3,harbour,ines,2026-03-02T09:17:00Z,"\\"no\\" he said, then left"
`;

const names = ['id', 'conversation', 'author', 'time', 'text'];
const set = (columns: readonly string[]) =>
  names.flatMap((name, index) => ['--set', `source.messages.${name}=${columns[index]}`]);

/** Returns the results of `init`, then `import`, for a file. */
async function brought(name: string, content: string, columns: readonly string[]) {
  const folder = home.make();
  writeFileSync(join(folder, name), content);
  const init = await run(['init', name, ...set(columns), '--yes'], { folder });
  expect(init).toMatchObject({ code: 0 });
  await confirmReading(folder, name);
  const inspected = await runJson(['inspect', name, '--mapping', 'chatferry.mapping.yaml'], { folder });
  return {
    stdout: init.stdout,
    texts: inspected.json.examples.map(({ text }: { text: string }) => text),
    done: await runJson(['import'], { folder, env: {} }).catch(() => runJson(['import', name, '--yes'], { folder })),
  };
}

describe('tables with backslashes', () => {
  it('COPY text is recognised by init, said, and read', async () => {
    const { stdout, texts, done } = await brought(
      'messages.tsv',
      copy,
      [1, 2, 3, 4, 5].map((n) => `column ${n}`),
    );
    expect(stdout).toMatch(/escapes +backslash/);
    expect(texts).toEqual(['The tide\nis in', 'a\tb and C:\\temp', '"Quoted" words']);
    expect(done).toMatchObject({ code: 0, json: { imported: 3, invalid: 0 } });
  });

  it('quotes with a backslash before them are recognised by init, said, and read', async () => {
    const columns = ['id', 'room', 'author', 'time', 'text'];
    const { stdout, texts, done } = await brought('messages.csv', backslashed, columns);
    expect(stdout).toMatch(/escape +"\\\\"/);
    expect(texts).toEqual(['she said "yes", twice', 'plain, with a comma', '"no" he said, then left']);
    expect(done).toMatchObject({ code: 0, json: { imported: 3, invalid: 0 } });
  });

  it('are reported if the mapping does not mention them', async () => {
    const folder = home.make();
    writeFileSync(join(folder, 'messages.tsv'), copy);
    writeFileSync(
      join(folder, 'mapping.yaml'),
      `source:\n  delimiter: tab\n  header: false\n  messages:\n${names.map((name, index) => `    ${name}: column ${index + 1}\n`).join('')}`,
    );
    const { json } = await runJson(['inspect', 'messages.tsv', '--mapping', 'mapping.yaml'], { folder });
    expect(json.notes).toContainEqual(expect.objectContaining({ code: 'backslashes' }));
  });
});
