import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { importExport } from '../../src/commands/move.ts';
import { planExport } from '../../src/commands/prepare.ts';
import { renderHtml } from '../../src/report/html.ts';
import { renderMarkdown } from '../../src/report/markdown.ts';
import { sessionRequest } from '../scenes/session-request.ts';
import { temporaryFolder } from '../scenes/temporary-folder.ts';

const home = temporaryFolder();

const mapping = `
source:
  messages: { id: id, author: user, conversation: room, time: { from: at, format: iso }, text: body, custom: { token: api_token } }
`;
const rows = [
  'id,user,room,at,body,api_token,password',
  '1,ann,quay,2026-01-01T10:00:00Z,hello,tok-1,hunter2',
  '2,bo,quay,2026-01-01T10:01:00Z,"write to ann@example.org <b>now</b>, or to nobody at all, ever",tok-2,hunter3',
];

async function request(source = mapping) {
  const folder = home.make();
  writeFileSync(join(folder, 'chat.csv'), `${rows.join('\n')}\n`);
  return { folder, ...(await sessionRequest(folder, { mapping: source, from: [join(folder, 'chat.csv')] })) };
}

describe('the report of a plan of tables', () => {
  it('shows rows of different kinds and the messages that they became', async () => {
    const { report } = await planExport(await request());
    expect(report.rowsRead).toMatchObject([
      {
        place: 'chat.csv:2',
        row: [
          { column: 'id', value: '1' },
          { column: 'user', value: 'ann' },
          { column: 'room', value: 'quay' },
          { column: 'at', value: '2026-01-01T10:00:00Z' },
          { column: 'body', value: 'hello' },
          { column: 'api_token', value: '…' },
        ],
        message: [
          { part: 'time', text: '2026-01-01 10:00:00 UTC' },
          { part: 'author', text: 'ann' },
          { part: 'conversation', text: 'quay' },
          { part: 'text', text: 'hello' },
        ],
      },
      {
        place: 'chat.csv:3',
        message: [{}, { text: 'bo' }, {}, { text: 'write to …@… <b>now</b>, or to nobody at…' }],
      },
    ]);
  });

  it('shows rows in HTML and Markdown, as text, without columns that the mapping does not name', async () => {
    const { report } = await planExport(await request());
    for (const text of [renderHtml(report), renderMarkdown(report)]) {
      expect(text).toContain('Rows, and the messages that they become');
      expect(text).toContain('chat.csv:3');
      expect(text).not.toMatch(/hunter|ann@example|tok-1/);
    }
    expect(renderHtml(report)).toContain('&lt;b&gt;now');
  });

  it('has none where nothing was read, and keeps none in the store', async () => {
    const given = await request();
    await importExport(given);
    const { report } = await planExport(given);
    expect(report.rowsRead).toBeUndefined();
    expect(readFileSync(given.store).includes('hunter2')).toBe(false);
  });
});
