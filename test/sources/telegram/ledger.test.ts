import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { sharedFolder } from '../../requirements.ts';
import { planOf } from '../../scenes/slack-rows.ts';
import { missingWords, seenIn } from '../ledger.ts';
import { temporaryFolderInMemory } from '../../scenes/temporary-folder.ts';

/**
 * The books of an export, kept without any code of the source: every value of every raw row is found in what is planned for it, or
 * stands for a loss that its row is counted for, or is one of those below that mean nothing.
 */

const home = temporaryFolderInMemory();
const everything =
  'messages: { system: keep, calls: keep, deleted: keep, attachments: placeholder }\nsource: { zone: UTC }';

/** Ends of paths of values that mean nothing, or are said otherwise, with the reason. */
const meaningless: Readonly<Record<string, RegExp>> = {
  'the kind of a row or piece: what it says is found': /^type$|\.type$/,
  'a wall time beside its instant': /^(?:date|edited|reactions\[\]\.recent\[\]\.date)$/,
  'an instant, which the payload has as seconds of its own': /^(?:date_unixtime|edited_unixtime)$/,
  'the event, which the sentence says': /^action$/,
  'the same text a second time': /^text_entities\[\]/,
  'a small picture of the file': /^thumbnail/,
  'the name of somebody whose id is kept': /^(?:from|actor|reactions\[\]\.recent\[\]\.from)$/,
  'counted as a loss: emoji, menus': /^(?:text\[\]\.document_id|inline_bot_buttons\[\]\[\]\..*)$/,
  'a number inside of a list': /^todo_list\.(?:answers\[\]\.id|others_can_append)$/,
  'said by the sentence, or not at all where it is false': /^poll\.(?:closed|answers\[\]\.chosen)$/,
  'where a file stands, how large and of which type it is: its name is kept':
    /^(?:file|photo|contact_vcard|file_size|photo_file_size|mime_type)$/,
  'another message, which the payload names by its muid: facts.json counts them': /^reply_to_message_id$/,
  'somebody whose uid is kept': /^text\[\]\.user_id$/,
};

interface Leaf {
  readonly path: string;
  readonly value: unknown;
}

function* leavesOf(value: unknown, path = ''): Generator<Leaf> {
  if (Array.isArray(value)) for (const inner of value) yield* leavesOf(inner, `${path}[]`);
  else if (typeof value === 'object' && value !== null) {
    for (const [key, inner] of Object.entries(value)) yield* leavesOf(inner, path === '' ? key : `${path}.${key}`);
  } else if (value !== null && value !== '') yield { path, value };
}

const wordsOf = (text: string): readonly string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

async function missingOf(path: string, file: string) {
  const { rows, losses } = await planOf(home.make(), path, everything);
  type Row = Readonly<Record<string, unknown>> & { readonly id: number };
  const { messages } = JSON.parse(readFileSync(join(path, file), 'utf8')) as { messages: readonly Row[] };
  const raw = new Map(messages.map((row) => [String(row.id), row]));
  const missing: string[] = [];
  for (const planned of rows) {
    const words = new Set([...leavesOf(planned)].flatMap(({ value }) => wordsOf(String(value))));
    for (const leaf of leavesOf(raw.get(planned.id))) {
      if (Object.values(meaningless).some((pattern) => pattern.test(leaf.path))) continue;
      // A number of before 2021: the id of who wrote is kept in the spelling of today.
      if (/^(?:from|actor)_id$/.test(leaf.path) && typeof leaf.value === 'number') continue;
      if (!wordsOf(String(leaf.value)).every((word) => words.has(word))) missing.push(`${planned.id} ${leaf.path}`);
    }
  }
  return { missing, losses, planned: rows.length, raw: raw.size };
}

describe('the plan and losses of a Telegram export', () => {
  it('account for every value of the sample with every feature', async () => {
    const { missing, losses, planned, raw } = await missingOf('samples/telegram/supergroup/export', 'result.json');
    expect(missing).toEqual([]);
    expect(planned).toBe(raw);
    expect(losses).toMatchObject({
      underlines: 1,
      'custom emoji in texts': 1,
      'menus and fields': 2,
      'custom emoji': 1,
    });
  });

  const folder = sharedFolder('exports/telegram');
  it.skipIf(folder === null)('account for every value of chats of 2020 and 2024', async () => {
    expect((await missingOf(join(folder!, 'minimal'), 'telegram_export.json')).missing).toEqual([]);
    const chats = [
      'bot',
      'private_channel',
      'private_group',
      'public_channel',
      'public_supergroup',
      'saved',
      'users_test',
    ];
    for (const name of chats) {
      const { missing, planned, raw } = await missingOf(join(folder!, `chats-2020/${name}.json`), '');
      expect.soft([name, missing, planned]).toEqual([name, [], raw]);
    }
  });
});

/** Parts of a page other than the messages' text. */
const ofPages: Readonly<Record<string, RegExp>> = {
  'when it was sent: the instant of the payload': /<div class="pull_right date details" title="[^"]*">[^<]*<\/div>/g,
  'letters in place of a picture': /<div class="initials"[^>]*>[^<]*<\/div>/g,
  'that it answers, and the program of the page: the quote is kept': /In reply to <a [^>]*>[^<]*<\/a>/g,
  'a picture of the picture': /<img class="photo"[^>]*>/g,
  'the folder of a file, whose name is kept': /(?<=href=")photos\//g,
  'the way to the next page': /<a class="pagination[\s\S]*?<\/a>/g,
};

it('the plan and losses of pages account for every visible word', async () => {
  const folder = 'samples/telegram/pages/export';
  const { rows: planned } = await planOf(home.make(), folder, everything);
  const pages = ['messages.html', 'messages2.html'].map((name) => readFileSync(join(folder, name), 'utf8'));
  const rows = new Map(
    pages.flatMap((page) =>
      page.split(/(?=<div class="message )/).flatMap((piece) => {
        const id = /^<div class="[^"]*" id="message(\d+)">/.exec(piece)?.[1];
        return id === undefined ? [] : [[`Harbour & pier ${id}`, seenIn(piece, ofPages)] as const];
      }),
    ),
  );
  expect(planned.length).toBe(rows.size);
  expect(missingWords(rows, planned)).toEqual({});
});
