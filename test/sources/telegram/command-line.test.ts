import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { run, runJson } from '../../cli/in-process.ts';
import { sandboxContents } from '../../scenes/sandbox-contents.ts';
import { temporaryFolder } from '../../scenes/temporary-folder.ts';

const home = temporaryFolder();

it('a whole account is inspected, planned and imported as a user would', async () => {
  const folder = home.make();
  const account = resolve('samples/telegram/account/export');
  const inspected = await run(['inspect', account], { folder });
  expect(inspected.code).toBe(0);
  expect(inspected.stdout).toContain('Telegram Desktop');

  writeFileSync(join(folder, 'my-telegram.yaml'), 'messages: { calls: keep }\n');
  const request = [account, '--mapping', 'my-telegram.yaml', '--quiet'];
  const planned = await runJson(['plan', ...request], { folder });
  expect(planned.json).toMatchObject({ read: 9, planned: 9, skipped: 0, invalid: 0 });
  const imported = await runJson(['import', ...request], { folder });
  expect(imported.json).toMatchObject({ read: 9, imported: 9, pending: 0 });
  const again = await runJson(['import', ...request], { folder });
  expect(again.json).toMatchObject({ read: 9, imported: 9, pending: 0 });

  const contents = sandboxContents(join(folder, 'chatferry.sandbox.db'));
  expect([...contents.values()].sort((a, b) => b.length - a.length)[0]).toEqual([
    'Do you have the key of pier 4?',
    'Yes, in my pocket',
    'And a spare one',
    'Tomasz called',
  ]);
});

it('times without a zone are a question about the messages that have such a time and are planned', async () => {
  const row = (id: number, more: object) => ({ id, from: 'Ann', from_id: 'user1', text: `m${id}`, ...more });
  const said = (id: number) => row(id, { type: 'message', date: '2026-03-02T09:00:00', date_unixtime: '1772445600' });
  const asked = async (ids: readonly number[], without: object = { type: 'message' }) => {
    const folder = home.make();
    const messages = [said(1), said(2), ...ids.map((id) => row(id, { date: '2026-03-02T10:00:00', ...without }))];
    const chat = { name: 'Crew', type: 'private_group', id: 7, messages };
    writeFileSync(join(folder, 'result.json'), JSON.stringify(chat));
    const { stdout } = await run(['plan', 'result.json', '--quiet'], { folder });
    return stdout;
  };
  expect(await asked([3])).toMatch(
    /In which time zone was the clock that wrote these times\? {2}1 message\n(?: .*\n)* +- Name the time zone/,
  );
  expect(await asked([3, 4])).toContain('that wrote these times?  2 messages');
  const pinned = { type: 'service', action: 'pin_message', actor: 'Ann', actor_id: 'user1' };
  expect(await asked([3, 4], pinned)).not.toContain('In which time zone');
});
