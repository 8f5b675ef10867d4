import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openExport } from '../../../src/io/input/open-export.ts';
import emoji from '../../../src/sources/kit/text/emoji.json' with { type: 'json' };
import { mattermost } from '../../../src/sources/mattermost/index.ts';
import { readAll } from '../../contracts/source.ts';
import { sharedFolder } from '../../requirements.ts';
import { type PlannedRow, planOf } from '../../scenes/slack-rows.ts';
import { temporaryFolderInMemory } from '../../scenes/temporary-folder.ts';
import { missingIn } from '../ledger.ts';

const home = temporaryFolderInMemory();
const everythingSent = 'messages: { system: keep, calls: keep, deleted: keep }';

/** Fields that mean nothing, with the reason. */
const meaningless: Readonly<Record<string, readonly string[]>> = {
  'a setting of the client': ['props.disable_group_highlight'],
  'numbers things for the client': ['props.attachments[].id', 'props.attachments[].fields[].short'],
  'shown where nothing else is': ['props.attachments[].fallback'],
};

/** Paths that are not planned but counted: by the name of the count in the facts of the row. */
const losses: Readonly<Record<string, readonly string[]>> = {
  reactions: ['reactions[].create_at'],
  filesWithoutAddress: ['attachments[].path'],
  cardDetails: ['props.attachments[].color', 'props.attachments[].footer_icon'],
  menus: ['props.attachments[].actions[]*'],
  custom: ['props.*', 'type', 'create_at'],
  calls: ['props.start_at', 'props.end_at', 'type'],
  system: ['type', 'props.*'],
  edited: ['edit_at'],
  pinned: ['is_pinned'],
};

/** Counted for the whole export, by the finding `mattermost-not-migrated`. */
const notMigrated = ['flagged_by[]', 'thread_followers[]*'];

interface RawPost {
  readonly create_at: number;
  readonly edit_at?: number;
  readonly message?: string;
  readonly reactions?: readonly { readonly emoji_name: string }[] | null;
  readonly replies?: readonly RawPost[] | null;
}

/** A post without its replies, or one of them. */
function rawPost(line: string, pointer: string | undefined): RawPost {
  const whole = JSON.parse(line) as Record<string, RawPost> & { type: string };
  const { replies, ...own } = whole[whole.type]!;
  return pointer === undefined ? own : replies![Number(pointer.split('/').at(-1))]!;
}

async function balanceOf(folder: string, file: string) {
  const [input] = await openExport([folder]);
  const entries = await readAll(mattermost, input!);
  await input!.close();
  const { rows: planned, findings } = await planOf(home.make(), folder, everythingSent);
  const byId = new Map(planned.map((row) => [`${row.conversation} ${row.id}`, row]));
  const lines = readFileSync(join(folder, file), 'utf8').split('\n');
  const rows = new Map<string, object>();
  for (const entry of entries) {
    if (entry.type !== 'record' || entry.record.kind !== 'message') continue;
    const { location, record } = entry;
    const id = `${record.origin.conversation} ${record.origin.id}`;
    rows.set(id, inOtherWords(rawPost(lines[location.line! - 1]!, location.pointer), byId.get(id)!));
  }
  const counted = findings.includes('mattermost-not-migrated') ? { counted: notMigrated } : {};
  return {
    missing: missingIn({ rows, planned, meaningless: { ...meaningless, ...counted }, losses }),
    planned: byId.size,
  };
}

const byName: Readonly<Record<string, string>> = emoji;

/** A row as its message says it: emoji for their names, people by the names that are shown; without a time that is the message's own. */
function inOtherWords(post: RawPost, { sentAtMs, payload }: PlannedRow): object {
  const { create_at, edit_at, message = '', reactions, ...others } = post;
  const names = payload.data.text?.match(/[@#]/) ? ' ' : undefined;
  return {
    ...others,
    ...(create_at !== sentAtMs && { create_at }),
    ...(edit_at && { edit_at }),
    message: message
      .replace(/:([\w+-]+):/g, (all, name: string) => (byName[name] === undefined ? all : ' '))
      .replace(/[@~][\w.-]+/g, (name) => names ?? name),
    reactions: (reactions ?? []).map((reaction) => ({
      ...reaction,
      emoji_name: byName[reaction.emoji_name] ?? reaction.emoji_name,
    })),
  };
}

const exports = sharedFolder('exports/mattermost');

describe('the plan and losses of a Mattermost export', () => {
  it('do not account for an unknown field', async () => {
    const folder = home.make();
    const post = { team: 't', channel: 'c', user: 'ann', message: 'Hi', create_at: 1_700_000_000_000, colour: 'mauve' };
    const lines = [
      { type: 'user', user: { username: 'ann' } },
      { type: 'post', post },
    ];
    writeFileSync(join(folder, 'import.jsonl'), lines.map((line) => JSON.stringify(line)).join('\n'));
    expect(await balanceOf(folder, 'import.jsonl')).toMatchObject({ missing: { colour: 1 }, planned: 1 });
  });

  it.each([
    ['every-feature', 'import.jsonl', 18],
    ['older-server', 'export.json', 8],
  ])('account for every value of the sample %s', async (name, file, count) => {
    const { missing, planned } = await balanceOf(`samples/mattermost/${name}/export`, file);
    expect([missing, planned]).toEqual([{}, count]);
  });

  it.skipIf(exports === null).each([
    ['direct-channel', 'export.json', 13],
    ['server-export', 'import.jsonl', 4213],
  ])('account for every value of the published %s', async (name, file, count) => {
    const { missing, planned } = await balanceOf(join(exports!, name), file);
    expect([missing, planned]).toEqual([{}, count]);
  });
});
