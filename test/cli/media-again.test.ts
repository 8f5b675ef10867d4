import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import Database from 'better-sqlite3';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Attachment } from '../../src/model/records.ts';
import { temporaryFolder } from '../scenes/temporary-folder.ts';
import { channel, person, says, writeRecords } from '../scenes/write-records.ts';
import { run, runJson, serveSandbox, testKey } from './in-process.ts';

const home = temporaryFolder();
const address = 'https://files.example.com/chat/';
const here = ['--media-to', './media', '--media-base-url', address];
const env = { CHATFERRY_API_KEY: testKey };

const file = (name: string): Attachment => ({ name, url: `files/${name}`, mimeType: 'text/plain' });

let folder: string;
beforeEach(() => {
  folder = home.make();
  mkdirSync(join(folder, 'export', 'files'), { recursive: true });
});

const write = (name: string, content: string) => writeFileSync(join(folder, 'export', 'files', name), content);
const drop = (name: string) => rmSync(join(folder, 'export', 'files', name));

/** The hosted service takes nothing that is old. */
const yesterdayMs = Math.floor(Date.now() / 1000) * 1000 - 86_400_000;

type Messages = readonly [text: string, ...Attachment[]][];

const writeMessages = (...messages: Messages) => writeAs('Ada', messages);
/** With another beginning, so that all of it is read again. */
const writeAnew = (...messages: Messages) => writeAs('Ada Lovelace', messages);

const writeAs = (name: string, messages: Messages) =>
  writeRecords(join(folder, 'export', 'records.ndjson'), [
    person('U1', { name }),
    channel('C1', { name: 'general' }),
    ...messages.map(([text, ...attachments], index) =>
      says(index + 1, 'C1', 'U1', text, { attachments, sentAtMs: yesterdayMs + index * 1000 }),
    ),
  ]);

const keyOf = (content: string) => `${createHash('sha256').update(content).digest('hex')}.txt`;

interface Arrived {
  readonly text: string;
  readonly attachments?: readonly { readonly url: string }[];
  readonly metadata: { readonly chatferry: { readonly files?: readonly object[] } };
}

/** Returns the messages in a sandbox. */
function arrived(data = 'chatferry.sandbox.db'): Arrived[] {
  const db = new Database(resolve(folder, data), { readonly: true });
  try {
    const rows = db.prepare<[], string>('SELECT data FROM message ORDER BY id').pluck().all();
    return rows.map((row) => JSON.parse(row) as Arrived);
  } finally {
    db.close();
  }
}

/** The only one in the folder. */
const sandboxFile = () => readdirSync(folder).find((name) => /sandbox.*\.db$/.test(name))!;

const addressesOf = (messages: readonly Arrived[]) =>
  messages.map(({ text, attachments = [] }) => [text, ...attachments.map(({ url }) => url)]);

describe('a message whose copied file was deleted before it was sent', () => {
  it.each([
    ['original', 'first'],
    ['name', 'first'],
  ])('goes without the dead address, and names the file: %s', async (missing, text) => {
    write('a.txt', 'one');
    writeMessages(['first', file('a.txt')]);
    await run(['plan', 'export'], { folder });
    await run(['media', 'copy', ...here], { folder });
    await run(['media', 'undo', '--yes'], { folder });
    drop('a.txt');
    expect(await run(['import', '--media-missing', missing], { folder })).toMatchObject({ code: 0 });
    const [message] = arrived();
    expect(message).toMatchObject({ text, metadata: { chatferry: { files: [{ name: 'a.txt' }] } } });
    expect(message!.attachments).toBeUndefined();
  });
});

describe('a message that was rehearsed', () => {
  it('waits for its file at the next destination', async () => {
    writeMessages(['first', file('gone.txt')], ['second']);
    expect(await run(['import', 'export'], { folder })).toMatchObject({ code: 0 });
    const { url } = await serveSandbox(folder);
    const { code, json } = await runJson(['import', ...here, '--to', url, '--yes'], { folder, env });
    expect({ code, json }).toMatchObject({
      code: 5,
      json: { imported: 0, pending: 2, stopped: { code: 'waiting-for-files' } },
    });
    // A message that was sent before delays nothing.
    expect(await runJson(['import'], { folder })).toMatchObject({ code: 0 });
  });
});

describe('a message that is too large with the address of its file', () => {
  it('drops metadata first, and is sent with the name of the file where that is not enough', async () => {
    write('a.txt', 'one');
    writeMessages(['€'.repeat(3_330), file('a.txt')], ['€'.repeat(3_200), file('a.txt')]);
    const longer = `${address}${'a'.repeat(100)}/`;
    const to = ['--media-to', './media', '--media-base-url', longer, '--rehearse-for', 'hosted'];
    const { code, json } = await runJson(['import', 'export', ...to], { folder });
    expect({ code, json }).toMatchObject({ code: 0, json: { imported: 2, failed: 0, invalid: 0 } });
    const [large, fitting] = arrived(sandboxFile());
    expect(large!.attachments).toBeUndefined();
    expect(large!.metadata.chatferry.files).toMatchObject([{ name: 'a.txt' }]);
    expect(fitting!.attachments).toMatchObject([{ url: longer + keyOf('one') }]);
  });
});

describe('chatferry retry', () => {
  it('copies files that were planned since, before it sends them', async () => {
    write('a.txt', 'one');
    write('b.txt', 'two');
    writeMessages(['first', file('a.txt')]);
    const { url, data } = await serveSandbox(folder);
    const refusing = { rules: [{ answer: 'items-refused', operations: ['importMessages'], share: 1 }] };
    const setFaults = (faults: object) =>
      fetch(`${url}/sandbox/faults`, { method: 'PUT', headers: { apikey: testKey }, body: JSON.stringify(faults) });
    await setFaults(refusing);
    const there = ['--to', url, '--yes', '--max-failures', '100%'];
    expect(await run(['import', 'export', ...here, ...there], { folder, env })).toMatchObject({ code: 3 });
    await setFaults({ rules: [] });
    writeMessages(['first', file('a.txt')], ['second', file('b.txt')], ['third', file('gone.txt')]);
    await run(['plan', 'export'], { folder, env });
    expect(await run(['retry', '--yes'], { folder, env })).toMatchObject({ code: 5 });
    expect(addressesOf(arrived(data))).toEqual([
      ['first', address + keyOf('one')],
      ['second', address + keyOf('two')],
    ]);
  });
});

describe('a message that was sent with its file', () => {
  it('is unchanged when the export is read again', async () => {
    write('a.txt', 'one');
    writeMessages(['first', file('a.txt')]);
    await run(['import', 'export', ...here], { folder });
    writeAnew(['first', file('a.txt')], ['second']);
    const { code, json } = await runJson(['import', 'export', '--drift', 'send'], { folder });
    expect({ code, json }).toMatchObject({ code: 0 });
    expect(addressesOf(arrived())).toEqual([['first', address + keyOf('one')], ['second']]);
    expect(json).not.toMatchObject({ followUps: { imported: 1 } });
    expect(json.drift).toEqual({});
  });

  it('keeps its address where its file cannot be copied to another place', async () => {
    write('a.txt', 'one');
    writeMessages(['first', file('a.txt')]);
    await run(['import', 'export', ...here], { folder });
    drop('a.txt');
    const other = ['--media-to', './other', '--media-base-url', 'https://other.example.com/'];
    expect(await runJson(['import', 'export', ...other, '--drift', 'send'], { folder })).toMatchObject({ code: 0 });
    expect(addressesOf(arrived())).toEqual([['first', address + keyOf('one')]]);
    expect(await run(['plan', 'export'], { folder })).toMatchObject({ code: 0 });
    expect(await runJson(['media', 'copy'], { folder })).toMatchObject({ json: { files: 1, copied: 1, missing: 0 } });
  });

  it('still has it if a repair sends it after another plan', async () => {
    write('a.txt', 'one');
    writeMessages(['first', file('a.txt')], ['second']);
    await run(['import', 'export', ...here], { folder });
    writeAnew(['first', file('a.txt')], ['second']);
    await run(['plan', 'export'], { folder });
    const db = new Database(join(folder, 'chatferry.sandbox.db'));
    db.exec(`DELETE FROM message WHERE data LIKE '%first%'`);
    db.close();
    expect(await run(['verify', '--repair', '--yes'], { folder })).toMatchObject({ code: 0 });
    expect(addressesOf(arrived())).toEqual([['second'], ['first', address + keyOf('one')]]);
  });
});

describe('a message that was corrected', () => {
  it('has the file of the export that it came from', async () => {
    write('a.txt', 'one');
    writeFileSync(
      join(folder, 'export', '_chat.txt'),
      `[2024-03-31, 12:00:00] Ada: hello\n[2024-03-31, 12:00:01] Ada: ${'x'.repeat(2_000)} \u200e<attached: a.txt>\n`,
    );
    renameSync(join(folder, 'export', 'files', 'a.txt'), join(folder, 'export', 'a.txt'));
    writeFileSync(join(folder, 'mapping.yaml'), 'messages: { textCharsMax: 1000, overlong: reject }\n');
    const mapped = ['--mapping', 'mapping.yaml'];
    const first = await run(['import', 'export', '--source', 'whatsapp', ...here, ...mapped], { folder });
    expect(first).toMatchObject({ code: 3 });
    await run(['export-failed', '--out', 'failed.ndjson'], { folder });
    const rejects = join(folder, 'failed.ndjson');
    writeFileSync(rejects, readFileSync(rejects, 'utf8').replace(/x{9,}/, 'corrected'));
    const second = await run(['import', 'failed.ndjson', ...mapped], { folder });
    expect(second).toMatchObject({ code: 0 });
    expect(addressesOf(arrived())).toEqual([['hello'], [expect.stringContaining('corrected'), address + keyOf('one')]]);
  });
});

describe('a place that was named by a relative path', () => {
  it('is the same in any working directory of the next command', async () => {
    write('a.txt', 'one');
    writeMessages(['first', file('a.txt')]);
    await run(['plan', 'export'], { folder });
    await run(['media', 'copy', ...here], { folder });
    const elsewhere = join(folder, 'elsewhere');
    mkdirSync(elsewhere);
    expect(await runJson(['media', 'verify', '--store', '../chatferry.db'], { folder: elsewhere })).toMatchObject({
      json: { same: 1, files: 1 },
    });
    expect(readdirSync(elsewhere)).toEqual([]);
  });
});

describe('an edit of a message that was sent with its file', () => {
  it('is sent as an edit without the file, which is the same', async () => {
    write('a.txt', 'one');
    writeMessages(['first', file('a.txt')]);
    await run(['import', 'export', ...here], { folder });
    writeAnew(['corrected', file('a.txt')]);
    expect(await run(['import', 'export', '--drift', 'send'], { folder })).toMatchObject({ code: 0 });
    expect(addressesOf(arrived())).toEqual([
      ['first', address + keyOf('one')],
      [expect.stringMatching(/^Edited .*: corrected$/)],
    ]);
  });
});

describe('a message that was rolled back', () => {
  it('is sent again with its file', async () => {
    write('a.txt', 'one');
    writeMessages(['first', file('a.txt')]);
    await run(['import', 'export', ...here], { folder });
    expect(await run(['undo', '--yes'], { folder })).toMatchObject({ code: 0 });
    drop('a.txt');
    expect(await run(['import', 'export'], { folder })).toMatchObject({ code: 0 });
    expect(addressesOf(arrived())).toEqual([['first', address + keyOf('one')]]);
  });
});
