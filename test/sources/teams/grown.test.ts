import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { openExport } from '../../../src/io/input/open-export.ts';
import { teams } from '../../../src/sources/teams/index.ts';
import { withFile } from '../../contracts/altered-input.ts';
import { samplesOf } from '../../contracts/samples.ts';
import { messagesOf } from '../../contracts/source/check.ts';
import { readAll } from '../../contracts/source.ts';

const earlier = {
  id: '1',
  messageType: 'message',
  createdDateTime: '2020-01-01T00:00:00Z',
  chatId: '19:other@thread.v2',
  body: { contentType: 'text', content: 'Earlier' },
  messagetype: 'Text',
  originalarrivaltime: '2020-01-01T00:00:00Z',
  content: 'Earlier',
  from: '8:eve',
};

it.each(samplesOf('teams'))('a later export of $name keeps the ids of the first', async ({ folder }) => {
  const [input] = await openExport([`${folder}/export`]);
  const originsOf = async (source: typeof input) =>
    messagesOf(await readAll(teams, source!)).map(({ origin }) => JSON.stringify(origin));
  const first = await originsOf(input);
  let grown = input!;
  for (const path of await input!.paths()) {
    if (!/messages[^/]*\.(?:nd)?json$/i.test(path)) continue;
    const text = readFileSync(`${folder}/export/${path}`, 'utf8');
    if (path.endsWith('.ndjson')) {
      grown = withFile(grown, path, Buffer.from(`${JSON.stringify(earlier)}\n${text}`));
      continue;
    }
    const more = `$1${JSON.stringify(earlier)},`;
    const later = text.includes('"MessageList"')
      ? text.replace(/("MessageList": \[)/, more)
      : text.replace(/("value": \[)|^(\[)(?!\s*\{\s*"@)/, `$1$2${JSON.stringify(earlier)},`);
    grown = withFile(grown, path, Buffer.from(later));
  }
  const later = await originsOf(grown);
  expect(later.length).toBeGreaterThan(first.length);
  expect(new Set(first).difference(new Set(later))).toEqual(new Set());
});
