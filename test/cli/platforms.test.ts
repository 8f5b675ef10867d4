import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { makeZip } from '../io/make-zip.ts';
import { temporaryFolder } from '../scenes/temporary-folder.ts';
import { run } from './in-process.ts';

const home = temporaryFolder();

const chat = JSON.stringify([
  {
    id: '7',
    text: 'Morning',
    html: 'Morning',
    sent: '2026-03-02T09:15:00.000Z',
    fromUser: { id: 'ann', username: 'ann', displayName: 'Ann' },
  },
]);

function write(folder: string, files: Readonly<Record<string, string | Uint8Array>>): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
}

const commands = ['inspect', 'plan', 'import', 'init', 'convert'] as const;
const flags: Partial<Record<(typeof commands)[number], readonly string[]>> = {
  init: ['--yes'],
  convert: ['--out', 'out.ndjson'],
};

describe('an export of another platform', () => {
  it.each(commands)('is called by its name by "%s", which ends with 4 and writes nothing', async (command) => {
    const folder = home.make();
    write(folder, { 'messages.json': chat });
    const { code, stdout, stderr } = await run([command, 'messages.json', ...(flags[command] ?? [])], { folder });
    expect({ code, stdout }).toEqual({ code: 4, stdout: '' });
    expect(stderr).toContain(
      'Cannot read "messages.json": it is Gitter (messages of its API, JSON), which no source reads by itself',
    );
    expect(stderr).toContain('More: docs/reference/platforms.md');
    expect(readdirSync(folder).filter((name) => /^out|^chatferry\.ya?ml/.test(name))).toEqual([]);
  });

  it('is called so as a folder, as a ZIP, and packed', async () => {
    const folder = home.make();
    write(folder, {
      'export/messages.json': chat,
      'export/photos/1.jpg': 'x',
      'messages.json.gz': gzipSync(chat),
      'export.zip': makeZip([
        { name: 'conversation/messages.json', content: chat },
        { name: 'conversation/photos/1.jpg', content: 'x' },
      ]),
    });
    for (const [path, name = path] of [['export'], ['export.zip'], ['messages.json.gz', 'messages.json']]) {
      const { code, stderr } = await run(['inspect', path!], { folder });
      expect({ code, stderr }).toMatchObject({
        code: 4,
        stderr: expect.stringContaining(`Cannot read "${name}": it is Gitter`),
      });
    }
  });

  it('is read by a source of tables that is named, with its mapping', async () => {
    const folder = home.make();
    const mapping = `version: 1
source:
  tables: { messages: { file: messages.json } }
  messages:
    { id: id, conversation: { constant: lobby }, author: fromUser.id, time: { from: sent, format: iso }, text: text }
`;
    write(folder, { 'messages.json': chat, 'desk.yaml': mapping });
    const { code, stdout } = await run(['inspect', 'messages.json', '--source', 'json', '--mapping', 'desk.yaml'], {
      folder,
    });
    expect(code).toBe(0);
    expect(stdout).toContain(
      'messages.json: JSON or NDJSON of any shape (needs a mapping), because of named by --source',
    );
    expect(stdout).toContain('\n  author        ann\n');
    expect(stdout).toContain('\n  text          Morning\n');
    expect((await run(['init', 'messages.json', '--source', 'json', '--yes'], { folder })).code).not.toBe(4);
  });

  it.each([
    [
      'book.zip',
      makeZip([
        { name: '[Content_Types].xml', content: '' },
        { name: 'xl/workbook.xml', content: '' },
      ]),
      'it is Excel',
    ],
    ['app.dump', 'PGDMP\x01\x0e', 'it is SQL dump'],
    [
      'C01ABCDEF.json',
      '{"channel_id":"C01ABCDEF","messages":[{"type":"message","ts":"1700000000.000100","text":"Hi"}]}',
      'it is Slack (a conversation as slackdump dumps it)',
    ],
  ])('is named for %s, whatever source would have taken it', async (name, content, words) => {
    const folder = home.make();
    write(folder, { [name]: content });
    const { code, stderr } = await run(['inspect', name], { folder });
    expect({ code, stderr }).toMatchObject({ code: 4, stderr: expect.stringContaining(words) });
  });

  it('cannot write to the terminal with the names and values of its files', async () => {
    const folder = home.make();
    const name = 'a\u001b]0;owned\u0007\u001b[31m\u202e.json';
    const message = { type: 'message', ts: '1700000000.000100', text: '\u001b[2J' };
    const dump = { channel_id: 'C\u001b[2J', messages: [message] };
    write(folder, { [`export/${name}`]: JSON.stringify(dump), 'export/b.json': '{}' });
    const { code, stderr } = await run(['inspect', 'export'], { folder });
    expect(code).toBe(4);
    expect(stderr).toContain('it is Slack');
    expect(stderr).not.toMatch(/[\u001b\u0007\u202e]|owned/);
  });
});
