import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { sharedFolder } from '../../requirements.ts';
import { planOf } from '../../scenes/slack-rows.ts';
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
      if (!wordsOf(String(leaf.value)).every((word) => words.has(word))) missing.push(`${planned.id} ${leaf.path}`);
    }
  }
  return { missing, losses, planned: rows.length, raw: raw.size };
}

describe('the books of a Telegram export', () => {
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
  });
});
