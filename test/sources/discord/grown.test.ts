import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { openExport } from '../../../src/io/input/open-export.ts';
import { discord } from '../../../src/sources/discord/index.ts';
import { withFile } from '../../contracts/altered-input.ts';
import { samplesOf } from '../../contracts/samples.ts';
import { messagesOf } from '../../contracts/source/check.ts';
import { readAll } from '../../contracts/source.ts';

const before: Readonly<Record<string, (text: string) => string>> = {
  // A later export has more messages behind those that were there, and in a package before them.
  json: (text) =>
    text.replace(
      /"messages": \[/,
      '"messages": [{"id": "1", "timestamp": "2020-01-01T00:00:00Z", "content": "Earlier"},',
    ),
  ndjson: (text) =>
    `${JSON.stringify({ type: 0, id: '1', timestamp: '2020-01-01T00:00:00Z', content: 'Earlier' })}\n${text}`,
  html: (text) =>
    text.replace(
      '<div class="chatlog">',
      '$&<div class="chatlog__message-container" data-message-id="1000000000000000001"><span class="chatlog__author" data-user-id="7">eve</span></div>',
    ),
  csv: (text) => text.replace(/\r?\n/, '$&"7","eve","2020-01-01T00:00:00.0000000+00:00","Earlier","",""\r\n'),
};

it.each(samplesOf('discord').filter(({ name }) => !name.startsWith('data-package')))(
  'a later export of $name keeps the ids of the first',
  async ({ folder }) => {
    const [input] = await openExport([`${folder}/export`]);
    const first = messagesOf(await readAll(discord, input!)).map(({ origin }) => JSON.stringify(origin));
    let grown = input!;
    for (const path of (await input!.paths()).filter((one) =>
      /^messages\/|\[\d+\](?: \[part \d\])?\.(?:json|csv|html)$/.test(one),
    )) {
      const text = readFileSync(`${folder}/export/${path}`, 'utf8');
      grown = withFile(grown, path, Buffer.from(before[path.split('.').at(-1)!]!(text)));
    }
    const later = messagesOf(await readAll(discord, grown)).map(({ origin }) => JSON.stringify(origin));
    expect(later.length).toBeGreaterThan(first.length);
    expect(new Set(first).difference(new Set(later))).toEqual(new Set());
  },
);
