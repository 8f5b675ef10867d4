import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { run, runJson } from '../../cli/in-process.ts';
import { sandboxContents } from '../../scenes/sandbox-contents.ts';
import { temporaryFolder } from '../../scenes/temporary-folder.ts';

const home = temporaryFolder();

it('a database of Viber is inspected, planned and imported as a user would', async () => {
  const folder = home.make();
  const exported = resolve('samples/viber/desktop/export');
  const inspected = await run(['inspect', exported], { folder });
  expect(inspected.code).toBe(0);
  expect(inspected.stdout).toContain('Viber (viber.db)');

  writeFileSync(join(folder, 'my-viber.yaml'), 'messages: { attachments: placeholder }\n');
  const request = [exported, '--mapping', 'my-viber.yaml', '--quiet'];
  const planned = await runJson(['plan', ...request], { folder });
  expect(planned.json).toMatchObject({ read: 20, planned: 16, skipped: 4, invalid: 0 });
  const imported = await runJson(['import', ...request], { folder });
  expect(imported.json).toMatchObject({ read: 20, imported: 16, pending: 0 });

  const contents = sandboxContents(join(folder, 'chatferry.sandbox.db'));
  const [most] = [...contents.values()].sort((a, b) => b.length - a.length);
  expect(most!.slice(0, 3)).toEqual(['Is berth six free, @Ben?', 'From six on', 'Berth seven, not six']);
});

it('an encrypted database of Viber is named, with what to do', async () => {
  const folder = home.make();
  writeFileSync(join(folder, 'viber.db'), Buffer.alloc(4096, 7));
  const inspected = await run(['inspect', 'viber.db'], { folder });
  expect(inspected.stdout + inspected.stderr).toContain('Viber');
  expect(inspected.stdout + inspected.stderr).toContain('decrypted');
});
