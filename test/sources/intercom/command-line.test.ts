import { cpSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { run, runJson } from '../../cli/in-process.ts';
import { sandboxContents } from '../../scenes/sandbox-contents.ts';
import { temporaryFolder } from '../../scenes/temporary-folder.ts';

const home = temporaryFolder();
const path = resolve('samples/intercom/answers/export');

const sentIn = (folder: string) => [...sandboxContents(join(folder, 'chatferry.sandbox.db')).values()].flat();

it('conversations are inspected, planned and imported as a user would, and notes stay where they are', async () => {
  const folder = home.make();
  const inspected = await run(['inspect', path], { folder });
  expect(inspected.code).toBe(0);
  expect(inspected.stdout).toContain('Intercom');

  const planned = await runJson(['plan', path, '--quiet'], { folder });
  expect(planned.json).toMatchObject({ read: 12, planned: 7, skipped: 5, invalid: 0 });
  const imported = await runJson(['import', path, '--quiet'], { folder });
  expect(imported.json).toMatchObject({ read: 12, imported: 7, verify: { same: 7, missing: 0, different: 0 } });
  const texts = JSON.stringify(sentIn(folder));
  expect(texts).toContain('My boat leaks');
  expect(texts).not.toContain('She never pays');
});

it('a note is sent only if the mapping says so', async () => {
  const folder = home.make();
  const mapping = join(folder, 'mapping.yaml');
  writeFileSync(mapping, 'version: 1\nmessages: { internal: keep }\n');
  const { json } = await runJson(['import', path, '--mapping', mapping, '--quiet'], { folder });
  expect(json).toMatchObject({ imported: 8 });
  expect(JSON.stringify(sentIn(folder))).toContain('She never pays');
});

it('a text of which it is not known who saw it ends the plan with an invalid row, until the mapping says it', async () => {
  const folder = home.make();
  const lines = join(folder, 'lines.ndjson');
  cpSync('samples/intercom/lines/export.ndjson', lines);
  const { json, code } = await runJson(['plan', lines, '--quiet'], { folder });
  expect(json).toMatchObject({ read: 5, planned: 3, skipped: 1, invalid: 1 });
  expect(code).not.toBe(0);
  const internal = join(folder, 'mapping.yaml');
  writeFileSync(internal, 'version: 1\nsource: { texts: { assignment: internal } }\n');
  const again = await runJson(['plan', lines, '--mapping', internal, '--quiet'], { folder });
  expect(again.json).toMatchObject({ read: 5, planned: 3, skipped: 2, invalid: 0 });
});
