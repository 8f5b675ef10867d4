import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { planOf } from '../../scenes/slack-rows.ts';
import { temporaryFolderInMemory } from '../../scenes/temporary-folder.ts';

/**
 * The books of a chat, kept without any code of the source: every word of every raw message is found in what is planned for it, or is
 * one of those below that mean nothing.
 */

const home = temporaryFolderInMemory();
const everything =
  'messages: { system: keep, calls: keep, deleted: keep, attachments: placeholder, empty: skip }\nsource: { zone: UTC }';

/** Ends of raw messages that mean nothing as words, with the reason. */
const meaningless: Readonly<Record<string, RegExp>> = {
  'its date and time, which are the instant of the payload': /^\u200e?\[?\d[^\]]*?(?:\] | - )/,
  'the app says that a file is there: its name is kept': /\(file attached\)|<attached: /,
  'the file is not in the export: its kind is kept': /<Media omitted>/,
  'the mark that the payload has as a fact': /<This message was edited>/,
  'the chat itself, before a line of the app': /Tomasz Brandt: (?=\u200eMessages and calls)/,
};

const wordsOf = (text: string): readonly string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
const begins = /^\u200e?\[?\d{1,2}\/\d{1,2}\/\d{2,4}, /;

function rawMessages(path: string): string[] {
  const messages: string[] = [];
  for (const line of readFileSync(path, 'utf8').trimEnd().split(/\r?\n/)) {
    if (begins.test(line)) messages.push(line);
    else messages[messages.length - 1] += `\n${line}`;
  }
  return messages;
}

it.each([
  ['android', 'WhatsApp Chat with Harbour crew.txt', 23],
  ['ios', 'WhatsApp Chat - Tomasz Brandt/_chat.txt', 14],
])('the plan and losses of the sample %s account for every word', async (sample, file, count) => {
  const folder = `samples/whatsapp/${sample}/export`;
  const { rows } = await planOf(home.make(), folder, everything);
  const raw = rawMessages(`${folder}/${file}`);
  expect([rows.length, raw.length]).toEqual([count, count]);
  const people = 'Ines Kai Tomasz Brandt +44 7700 900123';
  const missing = rows.flatMap((row, index) => {
    const planned = new Set(wordsOf(`${JSON.stringify(row).replaceAll('\\n', ' ')} ${people}`));
    const text = Object.values(meaningless).reduce((left, pattern) => left.replace(pattern, ' '), raw[index]!);
    return wordsOf(text).filter((word) => !planned.has(word));
  });
  expect(missing).toEqual([]);
});
