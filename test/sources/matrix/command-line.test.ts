import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { run, runJson } from '../../cli/in-process.ts';
import { sandboxContents } from '../../scenes/sandbox-contents.ts';
import { temporaryFolder } from '../../scenes/temporary-folder.ts';

const home = temporaryFolder();
const path = resolve('samples/matrix/answers/export');

it('answers of a server are inspected, planned and imported as a user would', async () => {
  const folder = home.make();
  const inspected = await run(['inspect', path], { folder });
  expect(inspected.code).toBe(0);
  expect(inspected.stdout).toContain('matrix');

  const planned = await runJson(['plan', path, '--quiet'], { folder });
  expect(planned.json).toMatchObject({ read: 37, planned: 21, skipped: 16, invalid: 0 });
  const imported = await runJson(['import', path, '--quiet'], { folder });
  expect(imported.json).toMatchObject({ read: 37, imported: 21, pending: 0 });
  expect(imported.json).toMatchObject({ verify: { same: 21, missing: 0, different: 0 } });

  const [contents] = sandboxContents(join(folder, 'chatferry.sandbox.db')).values();
  expect(contents?.slice(0, 6)).toEqual([
    'Good morning, see https://example.com/tides 🌊',
    '**Ebb** at ~~five~~ *six*, @Ann Berg',
    'Thanks',
    'Morning!',
    'In the thread',
    'Low tide',
  ]);
});

it('files are attached by the address that the mapping gives the server of Matrix', async () => {
  const folder = home.make();
  const mapping = join(folder, 'files.yaml');
  writeFileSync(mapping, 'version: 1\nmessages: { attachmentUrls: { "mxc://": "https://files.example.com/" } }\n');
  const { json } = await runJson(['plan', path, '--mapping', mapping, '--quiet'], { folder });
  expect(json).toMatchObject({ planned: 21, losses: { 'files by reference': 3, 'files without an address': 1 } });
});
