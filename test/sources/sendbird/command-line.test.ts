import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import Database from 'better-sqlite3';
import { expect, it } from 'vitest';
import { run, runJson } from '../../cli/in-process.ts';
import { sandboxContents } from '../../scenes/sandbox-contents.ts';
import { temporaryFolder } from '../../scenes/temporary-folder.ts';

const home = temporaryFolder();
const path = resolve('samples/sendbird/data-export/export');

it('an export is inspected, planned and imported as a user would', async () => {
  const folder = home.make();
  const inspected = await run(['inspect', path], { folder });
  expect(inspected.code).toBe(0);
  expect(inspected.stdout).toContain('sendbird');

  const planned = await runJson(['plan', path, '--quiet'], { folder });
  expect(planned.json).toMatchObject({ read: 11, planned: 9, skipped: 2, invalid: 0 });
  const imported = await runJson(['import', path, '--quiet'], { folder });
  expect(imported.json).toMatchObject({ read: 11, imported: 9, pending: 0 });
  expect(imported.json).toMatchObject({ verify: { same: 9, missing: 0, different: 0 } });

  const contents = [...sandboxContents(join(folder, 'chatferry.sandbox.db')).values()];
  expect(contents.sort((a, b) => a.length - b.length)).toMatchObject([
    { 0: '> Good morning\n\nAre you there?', length: 2 },
    {
      0: 'Good **morning**, @Tomasz Król! 👋 https://example.com/plan',
      1: 'I have the key',
      4: 'High water 22:31',
      length: 7,
    },
  ]);
});

it('exports that overlap are one, in whatever order they are given, and people keep the names of their list', async () => {
  const folder = home.make();
  const [first, second] = ['february', 'march'].map((name) => join(folder, name));
  for (const part of [first!, second!]) mkdirSync(join(part, 'messages'), { recursive: true });
  cpSync(path, first!, { recursive: true });
  rmSync(join(first!, 'messages/harbour_2026-03_2.json'));
  for (const number of [1, 2]) {
    const text = readFileSync(join(path, `messages/harbour_2026-03_${number}.json`), 'utf8');
    const renamed = text.replaceAll('"nickname": "Ines Bruun"', '"nickname": "Ines B."');
    writeFileSync(join(second!, `messages/again-${number}.json`), renamed);
  }
  for (const [index, inputs] of [
    [first!, second!],
    [second!, first!],
  ].entries()) {
    const place = join(folder, `run-${index}`);
    mkdirSync(place);
    const { json } = await runJson(['import', ...inputs, '--quiet'], { folder: place });
    expect(json).toMatchObject({ imported: 9, pending: 0, invalid: 0, verify: { same: 9, missing: 0, different: 0 } });
    const db = new Database(join(place, 'chatferry.sandbox.db'), { readonly: true });
    const names = db.prepare<[], string>("SELECT entity ->> '$.name' FROM user").pluck().all();
    db.close();
    expect(names).toContain('Ines Bruun');
    expect(names).not.toContain('Ines B.');
  }
});
