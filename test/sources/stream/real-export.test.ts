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

/** Returns the rules that are named, by the element of the file. */
const rulesIn = (said: readonly string[]) =>
  said
    .filter((one) => one.startsWith('stream-rule-'))
    .map((one) => one.replace(/^stream-rule-(\S+) \/(\d+) (.*)$/, '$2 $1: $3'));

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

  it('a sound one breaks no rule, and says no times', async () => {
    const { records, said } = await readFile('valid-data.json');
    expect(records).toEqual({ user: 4, conversation: 3 });
    expect(said.filter((one) => one.startsWith('stream-no-time')).length).toBe(3);
    expect(rulesIn(said)).toEqual([]);
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

  it.each<[string, readonly string[]]>([
    [
      'invalid-users.json',
      [
        '0 missing: user: expected "id", found nothing',
        '1 id: user "id-too-long-id-too-long-id-too-long-id-t": expected "id" of up to 255 bytes, found 263',
        '2 id: user "invalid|user id": expected "id" of letters, digits and a few signs (^[@\\w-]*$), found "invalid|user id"',
        '3 reserved: user "userA": "online" is reserved',
        '5 duplicate: user "userA": an item before this one is the same',
      ],
    ],
    [
      'invalid-channels.json',
      [
        '1 missing: channel: expected either "id" or "member_ids", found neither',
        '2 missing: channel "channelA": expected either "id" or "member_ids", found both',
        '3 id: channel "id-too-long-id-too-long-id-too-long-id-t": expected "id" of up to 64 bytes, found 71',
        '4 missing: channel "channelA": expected "type", found nothing',
        '5 id: channel "channelA@abc": expected "id" of letters, digits and a few signs (^[\\w!-]*$), found "channelA@abc"',
        '6 missing: channel "channelA": expected "created_by", found ""',
        '7 reserved: channel "channelA": "cid" is reserved',
        '8 reference: channel: no item of the file is the member "userA"',
        '9 reference: channel "channelB": no item of the file is the user "userB"',
      ],
    ],
    [
      'invalid-members.json',
      [
        '5 missing: member: expected "user_id", found nothing',
        '8 missing: member "userA": expected "channel_type", found nothing',
        '9 missing: member "userA": expected either "channel_id" or "channel_member_ids", found neither',
        '11 reference: member "userA": the team of the channel ("teamB") is none of "userA"',
        '12 reference: channel: no item of the file is the member "userB"',
        '14 reference: member "userC": the members of the channel do not include "userC"',
      ],
    ],
    [
      'invalid-messages.json',
      [
        '3 id: message "id-too-long-id-too-long-id-too-long-id-t": expected "id" of up to 255 bytes, found 263',
        '4 missing: message "messageA": expected "channel_type", found nothing',
        '5 missing: message "messageA": expected either "channel_id" or "channel_member_ids", found neither',
        '6 missing: message "messageA": expected "user", found nothing',
        '7 value: message "messageA": expected "type" to be one of regular, deleted, system, reply, found "error"',
        '8 value: message "messageA": expected the type "deleted" and "deleted_at" together, found one of them',
        '9 value: message "messageA": expected the type "deleted" and "deleted_at" together, found one of them',
      ],
    ],
    [
      'invalid-devices.json',
      [
        '1 id: device "id-too-long-id-too-long-id-too-long-id-t": expected "id" of up to 255 bytes, found 263',
        '3 missing: device "userA": expected "id", found nothing',
        '4 missing: device "no user ID": expected "user_id", found nothing',
        '5 value: device "123": expected "push_provider_type" to be one of firebase, huawei, apn, xiaomi, found "unknown_provider"',
        '6 missing: device "123": expected "created_at", found nothing',
        '8 duplicate: device "duplicate": an item before this one is the same',
        '2 reference: device "123": no item of the file is the user "userB"',
      ],
    ],
    ['invalid-channel-mutes.json', ['0 reference: user "user1": no item of the file is the channel "messaging:456"']],
    ['invalid-user-mutes.json', ['0 reference: user "user1": no item of the file is the user "missing_user"']],
  ])('a broken one has its items named: %s', async (name, expected) => {
    const { said } = await readFile(name);
    expect(rulesIn(said).map((one) => one.replace(/ \(byte \d+\)$/, ''))).toEqual(expected);
    const bytes = readFileSync(join(folder!, name));
    for (const one of rulesIn(said)) {
      const offset = Number(/\(byte (\d+)\)$/.exec(one)![1]);
      const index = Number(/^\d+/.exec(one)![0]);
      const before = JSON.parse(`${bytes.subarray(0, offset).toString().replace(/,\s*$/, '')}]`) as readonly unknown[];
      expect(before.length).toBe(index);
    }
  });
});
