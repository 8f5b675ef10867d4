import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { run, runJson } from '../../cli/in-process.ts';
import { sandboxContents } from '../../scenes/sandbox-contents.ts';
import { temporaryFolder } from '../../scenes/temporary-folder.ts';

const home = temporaryFolder();
const logs = resolve('samples/irc/irssi/export');

it('a folder of logs is inspected, planned and imported as a user would', async () => {
  const folder = home.make();
  const inspected = await run(['inspect', logs], { folder });
  expect(inspected.code).toBe(0);
  expect(inspected.stdout).toContain('irc');

  writeFileSync(join(folder, 'my-irc.yaml'), 'source: { zone: Europe/Berlin, nick: ines }\n');
  const request = [logs, '--mapping', 'my-irc.yaml'];
  const planned = await runJson(['plan', ...request, '--quiet'], { folder });
  expect(planned.json).toMatchObject({ read: 25, planned: 16, skipped: 9, invalid: 0 });

  const imported = await runJson(['import', ...request, '--quiet'], { folder });
  expect(imported.json).toMatchObject({ read: 25, imported: 16, pending: 0 });
  const again = await runJson(['import', ...request, '--quiet'], { folder });
  expect(again.json).toMatchObject({ read: 25, imported: 16, pending: 0 });

  const contents = sandboxContents(join(folder, 'chatferry.sandbox.db'));
  expect([...contents.values()].sort((a, b) => a.length - b.length)).toMatchObject([
    ['Do you have the key of pier 4?', 'Yes, in my pocket', '_is relieved_'],
    { 0: 'Good morning. The tide is in.', 3: '_opens the gate_', 12: 'Three, at last', length: 13 },
  ]);
});

it('a text that is no log ends a plan and an import with 4, and a log of RRSAgent is imported', async () => {
  const folder = home.make();
  writeFileSync(join(folder, 'notes.txt'), 'This is no log\nof anything\n');
  for (const command of ['plan', 'import']) {
    const passedOver = await run([command, 'notes.txt', '--source', 'irc', '--store', 'notes.db'], { folder });
    expect(passedOver.code).toBe(4);
    expect(passedOver.stdout).toContain('no file of this export has messages in a form that irc reads');
  }
  const log = resolve('test/sources/irc/cases/txt-exit0/02-harbour-irc.txt');
  const imported = await runJson(['import', '--source', 'irc', log, '--quiet'], { folder });
  expect(imported.json).toMatchObject({ read: 6, imported: 5, skipped: 1, invalid: 0 });
});
