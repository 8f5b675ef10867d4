import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openExport } from '../../../src/io/input/open-export.ts';
import { detectSource } from '../../../src/sources/detect.ts';
import { foreignPlatform } from '../../../src/sources/signatures.ts';
import { stream } from '../../../src/sources/stream/index.ts';
import { runJson } from '../../cli/in-process.ts';
import { sharedFolder } from '../../requirements.ts';
import { planOf } from '../../scenes/slack-rows.ts';
import { temporaryFolderInMemory } from '../../scenes/temporary-folder.ts';

const folder = sharedFolder('exports/stream/import-v1');
const home = temporaryFolderInMemory();
const createdAt = '2026-03-02T12:00:00Z';

/** Everything that a file gives: records by kind, and what is said of its items. */
async function readFile(name: string, options = stream.options.parse({})) {
  const [input] = await openExport([join(folder!, name)]);
  const context = { signal: new AbortController().signal, wants: () => true };
  const records: Record<string, number> = {};
  const said: string[] = [];
  try {
    for await (const entries of stream.read(input!, options, context))
      for (const entry of entries) {
        if (entry.type === 'record') records[entry.record.kind] = (records[entry.record.kind] ?? 0) + 1;
        else if (entry.type === 'invalid' || entry.type === 'problem')
          said.push(`${entry.code} ${entry.location.pointer ?? ''} ${entry.reason}`);
      }
  } finally {
    await input!.close();
  }
  return { records, said };
}

const names = [
  'valid-data.json',
  'valid-channels-with-light.json',
  ...['users', 'channels', 'members', 'messages', 'devices', 'channel-mutes', 'user-mutes'].map(
    (one) => `invalid-${one}.json`,
  ),
];

describe.skipIf(folder === null)('published import files of Stream', () => {
  it.each(names)('are claimed by this source alone: %s', async (name) => {
    const [input] = await openExport([join(folder!, name)]);
    const detected = await detectSource(input!);
    expect(detected.map(({ adapter, match }) => [adapter.name, match])).toEqual([['stream', 'certain']]);
    expect(await foreignPlatform(input!)).toBeUndefined();
    await input!.close();
  });

  it('a sound one says no times', async () => {
    const { records, said } = await readFile('valid-data.json');
    expect(records).toEqual({ user: 4, conversation: 3 });
    expect(said.filter((one) => one.startsWith('stream-no-time')).length).toBe(3);
    const light = await readFile('valid-channels-with-light.json', { createdAt });
    expect(light.records).toEqual({ user: 2, conversation: 2, message: 1 });
    expect(light.said).toEqual([]);
  });

  it('a valid one is imported once its time is given, and read back the same', async () => {
    const home1 = home.make();
    const mapping = `source: { createdAt: "${createdAt}" }`;
    const { rows, losses } = await planOf(home1, join(folder!, 'valid-data.json'), mapping);
    expect(rows.map(({ conversation, id, author, payload }) => [conversation, id, author, payload.data.text])).toEqual([
      ['messaging:channelA', 'message1', 'user1', 'hi!'],
      ['messaging:channelB', 'message2', 'user2', 'hi!'],
      ['messaging:!members-uxvymJRaaZM-FEYIhff5rnXC-QXWUnOPRF5nwLzloQY', 'message3', 'user3', 'hi!'],
    ]);
    expect(losses).toMatchObject({ reactions: 3 });
    const mine = join(home1, 'mine.yaml');
    writeFileSync(mine, mapping);
    const args = [join(folder!, 'valid-data.json'), '--quiet'];
    const { json } = await runJson(['import', ...args, '--mapping', mine], { folder: home.make() });
    expect(json).toMatchObject({ read: 3, imported: 3, invalid: 0, verify: { same: 3, missing: 0, different: 0 } });
    const untold = await runJson(['plan', ...args], { folder: home.make() });
    expect(untold.json).toMatchObject({ read: 3, planned: 0, skipped: 0, invalid: 3 });
  });

  it('a reply to a message missing from the file is reported by the plan', async () => {
    const mapping = `source: { createdAt: "${createdAt}" }`;
    const { rows, findings } = await planOf(home.make(), join(folder!, 'invalid-messages.json'), mapping);
    expect(rows.map(({ id }) => id)).toContain('thread');
    expect(findings).toContain('orphan-reply');
  });

  it.each(names)('every message of one is read or an invalid row, whatever else is broken: %s', async (name) => {
    const { records, said } = await readFile(name, { createdAt });
    const items = JSON.parse(readFileSync(join(folder!, name), 'utf8')) as readonly { type?: string }[];
    const messages = items.filter(({ type }) => type === 'message').length;
    const invalid = said.filter((one) =>
      /^(?:missing-id|not-an-object|stream-(?:no|bad)-|stream-unclear)/.test(one),
    ).length;
    expect((records.message ?? 0) + invalid).toBe(messages);
  });
});
