import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import Database from 'better-sqlite3';
import sharp from 'sharp';
import { beforeEach, describe, expect, it } from 'vitest';
import { main } from '../../src/cli/main.ts';
import type { Attachment } from '../../src/model/records.ts';
import { byName, sandboxContents } from '../scenes/sandbox-contents.ts';
import { temporaryFolder } from '../scenes/temporary-folder.ts';
import { channel, person, says, writeRecords } from '../scenes/write-records.ts';
import { run, runJson, testHost } from './in-process.ts';

const home = temporaryFolder();
const address = 'https://files.example.com/chat/';
const here = ['--media-to', './media', '--media-base-url', address];

const file = (name: string, changes: Partial<Attachment> = {}): Attachment => ({
  name,
  url: `files/${name}`,
  mimeType: 'text/plain',
  ...changes,
});

let folder: string;
beforeEach(() => {
  folder = home.make();
  mkdirSync(join(folder, 'export', 'files'), { recursive: true });
});

function writeExport(files: Readonly<Record<string, string>>, messages: readonly [text: string, ...Attachment[]][]) {
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, 'export', 'files', name), content);
  writeRecords(join(folder, 'export', 'records.ndjson'), [
    person('U1', { name: 'Ada' }),
    channel('C1', { name: 'general' }),
    channel('C2', { name: 'other' }),
    ...messages.map(([text, ...attachments], index) =>
      says(index + 1, text.startsWith('other') ? 'C2' : 'C1', 'U1', text, { attachments }),
    ),
  ]);
}

const keyOf = (content: string, ending = '.txt') => `${createHash('sha256').update(content).digest('hex')}${ending}`;
const stored = () => readdirSync(join(folder, 'media')).sort();

/** Returns the text and attachments of each message in the sandbox. */
function arrived(): { text: string; metadata: object; attachments: { name: string; url: string; size?: string }[] }[] {
  const db = new Database(join(folder, 'chatferry.sandbox.db'), { readonly: true });
  try {
    return db
      .prepare<[], string>('SELECT data FROM message ORDER BY id')
      .pluck()
      .all()
      .map((data) => JSON.parse(data) as { text: string; attachments?: []; metadata: object })
      .map(({ text, attachments = [], metadata }) => ({ text, attachments, metadata }));
  } finally {
    db.close();
  }
}

describe('import --media-to', () => {
  it('copies files of the export, each content once, and sends their new addresses', async () => {
    writeExport({ 'a.txt': 'one', 'b.txt': 'two', 'again.txt': 'one' }, [
      ['first', file('a.txt')],
      ['second', file('b.txt'), file('a.txt')],
      ['third', file('again.txt')],
    ]);
    const { code, stdout } = await run(['import', 'export', ...here], { folder });
    expect({ code, stdout }).toMatchObject({ code: 0 });
    expect(stored()).toEqual([keyOf('one'), keyOf('two')].sort());
    expect(readFileSync(join(folder, 'media', keyOf('one')), 'utf8')).toBe('one');
    expect(
      arrived().map(({ text, attachments }) => [text, attachments.map(({ name, url, size }) => [name, url, size])]),
    ).toEqual([
      ['first', [['a.txt', address + keyOf('one'), '3']]],
      [
        'second',
        [
          ['b.txt', address + keyOf('two'), '3'],
          ['a.txt', address + keyOf('one'), '3'],
        ],
      ],
      ['third', [['again.txt', address + keyOf('one'), '3']]],
    ]);
  });

  it('holds back a message with a missing file and the messages after it in its conversation, and explains how to continue', async () => {
    writeExport({ 'a.txt': 'one' }, [
      ['first', file('a.txt')],
      ['second', file('gone.txt')],
      ['third'],
      ['other 1'],
      ['other 2'],
    ]);
    const { code, json } = await runJson(['import', 'export', ...here], { folder });
    expect({ code, json }).toMatchObject({
      code: 5,
      json: {
        imported: 3,
        pending: 2,
        stopped: {
          code: 'waiting-for-files',
          goOn: ['--media-missing original', '--media-missing name'],
        },
      },
    });
    expect(byName(sandboxContents(join(folder, 'chatferry.sandbox.db')))).toEqual({
      group_c1: ['first'],
      group_c2: ['other 1', 'other 2'],
    });
    // It has come since.
    writeFileSync(join(folder, 'export', 'files', 'gone.txt'), 'late');
    expect(await run(['import'], { folder })).toMatchObject({ code: 0 });
    expect(byName(sandboxContents(join(folder, 'chatferry.sandbox.db')))).toEqual({
      group_c1: ['first', 'second', 'third'],
      group_c2: ['other 1', 'other 2'],
    });
    expect(arrived().find(({ text }) => text === 'second')).toMatchObject({
      attachments: [{ url: address + keyOf('late') }],
    });
  });

  it.each([
    ['n', 0, [{ text: 'first', attachments: [] }]],
    ['wait', 5, []],
    ['', 5, []],
  ])('asks on a terminal what becomes of them: %j', async (answer, code, left) => {
    writeExport({}, [['first', file('gone.txt')]]);
    const { host, stdout } = testHost({ folder });
    const stdin = Object.assign(Readable.from([`${answer}\n`]), { isTTY: true });
    const terminal = { ...host, stdin, stdout: Object.assign(stdout, { isTTY: true, columns: 100 }) };
    const cwd = process.cwd();
    process.chdir(folder);
    try {
      await main(['node', 'chatferry', 'import', 'export', ...here], terminal);
    } finally {
      process.chdir(cwd);
    }
    expect(stdout.text).toContain('1 message waits for 1 file that could not be copied');
    expect(terminal.exitCode).toBe(code);
    expect(arrived()).toMatchObject(left);
    expect(arrived()).toHaveLength(left.length);
  });

  it('sends the name of the file if the mapping asks for it', async () => {
    writeExport({}, [
      ['see this', file('gone.txt')],
      ['', file('alone.txt')],
    ]);
    expect(await run(['import', 'export', ...here, '--media-missing', 'name'], { folder })).toMatchObject({ code: 0 });
    expect(arrived()).toMatchObject([
      { text: 'see this', attachments: [] },
      { text: '📎 alone.txt', attachments: [] },
    ]);
  });

  it('takes where files stay from the mapping, and from the run before', async () => {
    writeExport({ 'a.txt': 'one' }, [['first', file('a.txt')]]);
    writeFileSync(
      join(folder, 'mapping.yaml'),
      `media:\n  to: ./media\n  address: ${address}\n  key: "x/{sha256:2}/{sha256}"\n`,
    );
    expect(await run(['import', 'export', '--mapping', 'mapping.yaml'], { folder })).toMatchObject({ code: 0 });
    const digest = keyOf('one', '');
    expect(arrived()[0]?.attachments[0]?.url).toBe(`${address}x/${digest.slice(0, 2)}/${digest}`);
    writeExport({ 'a.txt': 'one', 'b.txt': 'two' }, [
      ['first', file('a.txt')],
      ['second', file('b.txt')],
    ]);
    expect(await run(['import', 'export', '--mapping', 'mapping.yaml'], { folder })).toMatchObject({ code: 0 });
    expect(arrived()).toHaveLength(2);
  });

  it('keeps copied files when the plan is made again', async () => {
    writeExport({ 'a.txt': 'one' }, [['first', file('a.txt')]]);
    expect(await run(['plan', 'export'], { folder })).toMatchObject({ code: 0 });
    expect(await run(['media', 'copy', ...here], { folder })).toMatchObject({ code: 0 });
    writeFileSync(join(folder, 'mapping.yaml'), 'messages: { tags: [t] }\n');
    rmSync(join(folder, 'export', 'files', 'a.txt'));
    expect(await run(['import', 'export', '--mapping', 'mapping.yaml'], { folder })).toMatchObject({ code: 0 });
    expect(arrived()[0]?.attachments[0]?.url).toBe(address + keyOf('one'));
  });

  it('sends a file as drift if it could be copied only after its message was sent', async () => {
    writeExport({}, [['first', file('late.txt')]]);
    expect(await run(['import', 'export', ...here, '--media-missing', 'original'], { folder })).toMatchObject({
      code: 0,
    });
    writeFileSync(join(folder, 'export', 'files', 'late.txt'), 'late');
    const { code, json } = await runJson(['import', '--drift', 'send'], { folder });
    expect({ code, json }).toMatchObject({ code: 0, json: { followUps: { imported: 1 } } });
    expect(arrived()[1]).toMatchObject({ attachments: [{ url: address + keyOf('late') }] });
    expect((await run(['import'], { folder })).code).toBe(0);
    expect(arrived()).toHaveLength(2);
  });

  it('writes the dimensions of pictures into metadata if the mapping asks for them', async () => {
    const png = await sharp({ create: { width: 7, height: 3, channels: 3, background: '#fff' } })
      .png()
      .toBuffer();
    writeExport({}, [['look', file('a.png', { mimeType: 'image/png' })]]);
    writeFileSync(join(folder, 'export', 'files', 'a.png'), png);
    const mapping = `media: { to: ./media, address: ${address}, dimensions: true, thumbnails: true }\n`;
    writeFileSync(join(folder, 'mapping.yaml'), mapping);
    expect(await run(['import', 'export', '--mapping', 'mapping.yaml'], { folder })).toMatchObject({ code: 0 });
    const [message] = arrived() as unknown as [{ metadata: { chatferry: { media: { thumbnail: string }[] } } }];
    const [facts] = message.metadata.chatferry.media;
    expect(facts).toMatchObject({ file: 0, width: 7, height: 3 });
    expect(stored()).toContain(facts!.thumbnail.slice(address.length));
    expect(await runJson(['media', 'verify'], { folder })).toMatchObject({ code: 0, json: { same: 2 } });
  });

  it('refuses a location that cannot be used before anything is sent', async () => {
    writeExport({ 'a.txt': 'one' }, [['first', file('a.txt')]]);
    const { code, stderr } = await run(['import', 'export', '--media-to', './media'], { folder });
    expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining('--media-base-url') });
    const other = await run(['import', 'export', '--media-missing', 'name'], { folder });
    expect(other).toMatchObject({ code: 2, stderr: expect.stringContaining('--media-to') });
  });
});

describe('sync with media', () => {
  it('copies files before a job sends, and retries missing ones in the next run', async () => {
    writeExport({ 'a.txt': 'one' }, [
      ['first', file('a.txt')],
      ['second', file('late.txt')],
    ]);
    writeFileSync(
      join(folder, 'chatferry.yaml'),
      `to: sandbox
jobs:
  - name: chats
    export: ./export
    store: ./chatferry.db
    media: { to: ./media, address: "${address}", perHost: 2, bandwidth: 10MiB }
`,
    );
    const first = await runJson(['sync', '--once', '--config', 'chatferry.yaml'], { folder });
    expect(first).toMatchObject({ code: 5, json: { jobs: [{ stopped: { code: 'waiting-for-files' } }] } });
    writeFileSync(join(folder, 'export', 'files', 'late.txt'), 'late');
    expect(await runJson(['sync', '--once', '--config', 'chatferry.yaml'], { folder })).toMatchObject({ code: 0 });
    expect(arrived().map(({ text, attachments }) => [text, attachments[0]?.url])).toEqual([
      ['first', address + keyOf('one')],
      ['second', address + keyOf('late')],
    ]);
  });
});

describe('media', () => {
  it('copies files of a staged plan, and the next import sends them', async () => {
    writeExport({ 'a.txt': 'one', 'b.txt': 'one' }, [['first', file('a.txt'), file('b.txt')]]);
    expect(await run(['plan', 'export'], { folder })).toMatchObject({ code: 0 });
    const { code, json } = await runJson(['media', 'copy', ...here], { folder });
    expect({ code, json }).toMatchObject({
      code: 0,
      json: { files: 2, copied: 1, copiedBytes: 3, shared: 1, missing: 0, refused: 0, waiting: 0, waitingMessages: 0 },
    });
    expect((await run(['import'], { folder })).code).toBe(0);
    expect(arrived()[0]?.attachments).toHaveLength(2);
  });

  it('ends with 3 and prints the totals if a file is missing', async () => {
    writeExport({ 'a.txt': 'one' }, [['first', file('a.txt'), file('gone.txt')]]);
    await run(['plan', 'export'], { folder });
    const { code, stdout } = await run(['media', 'copy', ...here], { folder });
    expect(code).toBe(3);
    expect(stdout).toContain('2 files of planned messages = 1 copied (3 bytes) + 0 shared + 1 missing + 0 refused');
    expect(stdout).toContain('--media-missing');
  });

  it('reads the copied files back, and names those that differ', async () => {
    writeExport({ 'a.txt': 'one', 'b.txt': 'two' }, [['first', file('a.txt'), file('b.txt')]]);
    await run(['plan', 'export'], { folder });
    await run(['media', 'copy', ...here], { folder });
    expect(await runJson(['media', 'verify'], { folder })).toMatchObject({
      code: 0,
      json: { same: 2, files: 2, bytes: 6 },
    });
    expect(await runJson(['media', 'verify', '--sample', '1'], { folder })).toMatchObject({
      json: { same: 1, files: 2 },
    });
    writeFileSync(join(folder, 'media', keyOf('one')), 'eno');
    rmSync(join(folder, 'media', keyOf('two')));
    expect(await runJson(['media', 'verify'], { folder })).toMatchObject({
      code: 6,
      json: {
        same: 0,
        differenceCount: 2,
        differences: expect.arrayContaining([
          { key: keyOf('one'), what: 'its content is another' },
          { key: keyOf('two'), what: 'it is not there' },
        ]),
      },
    });
  });

  it('deletes only the files that it wrote, and holds back unsent messages', async () => {
    writeExport({ 'a.txt': 'one', 'b.txt': 'two' }, [
      ['first', file('a.txt')],
      ['second', file('b.txt')],
    ]);
    mkdirSync(join(folder, 'media'));
    writeFileSync(join(folder, 'media', keyOf('two')), 'two');
    await run(['plan', 'export'], { folder });
    await run(['media', 'copy', ...here], { folder });
    const refused = await run(['media', 'undo'], { folder });
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('delete 1 file (3 bytes)') });
    expect(await runJson(['media', 'undo', '--yes'], { folder })).toMatchObject({
      code: 0,
      json: { files: 1, removed: 1, others: 1, changed: 0, messages: 0 },
    });
    expect(stored()).toEqual([keyOf('two')]);
    rmSync(join(folder, 'export', 'files', 'a.txt'));
    expect((await run(['import'], { folder })).code).toBe(5);
    expect(arrived()).toEqual([]);
  });

  it('keeps no name of a file and no payload in its store once content is purged', async () => {
    writeExport({ 'a.txt': 'one' }, [['first', file('a.txt', { name: 'very-private-name.txt' })]]);
    expect(await run(['import', 'export', ...here], { folder })).toMatchObject({ code: 0 });
    expect(await run(['purge', '--yes'], { folder })).toMatchObject({ code: 0 });
    const db = new Database(join(folder, 'chatferry.db'), { readonly: true });
    const tables = ['media_file', 'media_use', 'media_message', 'message'];
    const rows = tables.map((table) => JSON.stringify(db.prepare(`SELECT * FROM ${table}`).all()));
    db.close();
    expect(rows.join()).not.toMatch(/private|first/);
  });

  it('explains what to do if there is no plan', async () => {
    expect(await run(['media', 'copy', ...here], { folder })).toMatchObject({
      code: 7,
      stderr: expect.stringContaining('chatferry plan EXPORT'),
    });
  });
});
