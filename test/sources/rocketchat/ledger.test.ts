import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import emoji from '../../../src/sources/kit/text/emoji.json' with { type: 'json' };
import { sharedFolder } from '../../requirements.ts';
import { planOf } from '../../scenes/slack-rows.ts';
import { temporaryFolderInMemory } from '../../scenes/temporary-folder.ts';
import { missingIn } from '../ledger.ts';

const home = temporaryFolderInMemory();
const everythingSent = 'messages: { system: keep, calls: keep, deleted: keep }';

/** Fields that mean nothing, with the reason. */
const meaningless: Readonly<Record<string, readonly string[]>> = {
  'the server counts or looks it up by what stands elsewhere': [
    '_updatedAt*',
    'tcount',
    'tlm*',
    'replies[]',
    'dcount',
    'dlm*',
    'md*',
  ],
  'the time and the author stand in the message, people and rooms in their own files': [
    'ts*',
    'u.*',
    'mentions[]*',
    'channels[]*',
  ],
  'for the client': [
    'location.type',
    'attachments[].type',
    'files[].typeGroup',
    'groupable',
    'urls[].ignoreParse',
    'title_link_download',
    'attachments[].ts*',
    'e2e',
    'sandstormSessionId',
  ],
  'repeats what the text or the link says': [
    'urls[].url',
    'urls[].parsedUrl*',
    'urls[].headers*',
    'attachments[].message_link',
  ],
  'numbers an integration': ['bot.i'],
  'small pictures that the server made': [
    'files[]._id',
    'files[].name',
    'files[].type',
    'files[].size',
    'attachments[].image_preview',
    'attachments[].image_dimensions*',
  ],
};

/** Paths that are not planned but counted: by the name of the count in the facts of the row. */
const losses: Readonly<Record<string, readonly string[]>> = {
  previews: ['urls[].meta*'],
  reactions: ['reactions.*'],
  custom: ['alias', 'customFields*', 'role', 't', 'drid'],
  system: ['t', 'msg', 'drid', 'attachments[]*'],
  calls: ['t', 'blocks[]*'],
  encrypted: ['t', 'msg'],
  deleted: ['t', '_hidden', 'editedAt*', 'editedBy*'],
  edited: ['editedAt*', 'editedBy*'],
  pinned: ['pinned', 'pinnedAt*', 'pinnedBy*'],
  cardDetails: ['attachments[].color', 'emoji', 'avatar', 'attachments[].fields[].short'],
  appData: ['blocks[]*'],
  quotes: ['msg', 'attachments[].author_icon'],
  broadcasts: ['tshow'],
  replies: ['tmid'],
  filesWithoutAddress: [
    'file.*',
    'files[].*',
    'attachments[].title_link',
    'attachments[].image_*',
    'attachments[].type',
  ],
};
/** Counted for the whole export. */
const notMigrated = { 'rocketchat-not-migrated': ['starred[]*'] };

const byName: Readonly<Record<string, string>> = emoji;
interface RawRow {
  readonly _id: string | { readonly $oid: string };
  readonly rid: string;
  readonly msg: string;
}

async function balanceOf(folder: string, rows: readonly RawRow[]) {
  const { rows: planned } = await planOf(home.make(), folder, everythingSent);
  const idOf = ({ _id }: RawRow) => (typeof _id === 'string' ? _id : _id.$oid);
  const raw = new Map(rows.map((row) => [`${row.rid} ${idOf(row)}`, { ...row, _id: idOf(row), msg: shown(row.msg) }]));
  return {
    missing: missingIn({ rows: raw, planned, meaningless: { ...meaningless, ...notMigrated }, losses }),
    planned: planned.length,
  };
}

/** People, rooms and emoji are shown by other names. */
const shown = (text: string) =>
  text.replace(/:([\w+-]+):/g, (all, name: string) => byName[name] ?? all).replace(/[@#][\w.-]+/g, ' ');

const linesOf = (path: string) =>
  readFileSync(path, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as RawRow);

const exports = sharedFolder('exports/rocketchat');

describe('the plan and losses of a Rocket.Chat export', () => {
  it('account for every value of the sample collections', async () => {
    const folder = 'samples/rocketchat/collections/export';
    expect(await balanceOf(folder, linesOf(join(folder, 'rocketchat_message.json')))).toEqual({
      missing: {},
      planned: 20,
    });
  });

  it('do not account for an unknown field', async () => {
    const folder = 'samples/rocketchat/collections/export';
    const rows = linesOf(join(folder, 'rocketchat_message.json')).map((row) => ({ ...row, colour: 'mauve' }));
    expect((await balanceOf(folder, rows)).missing).toEqual({ colour: 20 });
  });

  it.skipIf(exports === null)('account for every value of the published history', async () => {
    const folder = join(exports!, 'rest-history');
    const messages = ['channel', 'dm', 'group'].flatMap((name) => {
      const text = readFileSync(join(folder, `example_${name}_history.json`), 'utf8');
      return (JSON.parse(text) as { messages: readonly RawRow[] }).messages;
    });
    expect(await balanceOf(folder, messages)).toEqual({ missing: {}, planned: 53 });
  });
});
