import { cpSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'csv-parse/sync';
import { beforeAll, describe, expect, it } from 'vitest';
import { importExport } from '../../src/commands/move.ts';
import { Secret } from '../../src/lib/secret.ts';
import { type ReportData, reportDataSchema } from '../../src/report/report-data.ts';
import { mediaSecret, writeMediaExport } from '../scenes/media-export.ts';
import { temporaryFolder } from '../scenes/temporary-folder.ts';
import { noonMs, says } from '../scenes/write-records.ts';
import { run, runJson, serveSandbox, testKey } from './in-process.ts';

const home = temporaryFolder();
const there = ['--media-to', './media', '--media-base-url', 'https://files.example/'];
const formats = ['--format', 'html,json,csv,markdown'];

const fileOf = (folder: string, name: string) => readFileSync(join(folder, 'chatferry.report', name), 'utf8');
const reportOf = (folder: string) => reportDataSchema.parse(JSON.parse(fileOf(folder, 'report.json')));
const codesOf = (folder: string) => reportOf(folder).problems.map(({ code }) => code);
const lossOf = (folder: string, name: string) => reportOf(folder).losses.find((loss) => loss.name === name);
const rowsOf = (folder: string): Record<string, string>[] =>
  parse(fileOf(folder, 'files.csv'), { bom: true, columns: true });

/** The words of a page, one space between them. */
const textOf = (page: string) =>
  page.replaceAll(/<(?:style|script)>[\s\S]*?<\/(?:style|script)>|<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ');

/** An address of a bucket that stops working so many seconds after the first of March 2024. */
const signed = (name: string, seconds: number) =>
  `https://bucket.example/${name}?X-Amz-Date=20240301T120000Z&X-Amz-Expires=${seconds}&X-Amz-Signature=0`;

/** At noon of the first of March 2024, whenever it runs. */
const clock = {
  now: () => noonMs + 3_600_000,
  monotonic: () => performance.now(),
  uptime: () => performance.now(),
  sleep: () => Promise.reject(new Error('Nothing waits here')),
};

describe('plan --media-to', () => {
  it('prints how many files there are, where they are, when they expire, and how long copying takes', async () => {
    const folder = home.make();
    const attachments = [60, 3_600 * 2, 86_400 * 3, 604_800].map((seconds, index) => ({
      ...{ name: `${index}.bin`, url: signed(`${index}`, seconds), sizeBytes: 2_048 },
    }));
    writeMediaExport(folder, [says(20, 'one', 'ann', 'signed', { attachments })]);
    const bandwidth = ['--bandwidth', '1KiB'];
    const { code, stdout } = await run(['plan', 'export', ...there, ...bandwidth], { folder, clock });
    expect(code).toBe(0);
    expect(stdout).toContain('Files       10 = 0 copied + 10 waiting  to ./media');
    expect(stdout).toContain('9 files, 8 KiB, and 3 of unknown size; about 8 s at 1 KiB a second');
    expect(stdout).toContain('1 expired already, 1 within a day, 2 within a week; the next 2024-03-01 14:00 UTC');
    expect(stdout).toContain('1 file that the export only names');
    expect(stdout).toContain(`chatferry import export ${there.join(' ')} --bandwidth 1KiB`);
    expect(reportOf(folder).media).toMatchObject({
      ...{ files: 10, copied: 0, shared: 0, missing: 0, refused: 0, waiting: 10 },
      ...{ location: './media', notInExport: 1, hostCount: 3 },
      left: { files: 9, bytes: 8_200, unsized: 3, bandwidth: 1_024, ms: 8_008 },
      hosts: [
        { host: null, files: 4, copied: 0, bytes: 8, unsized: 2 },
        { host: 'bucket.example', files: 4, copied: 0, bytes: 8_192, unsized: 0 },
        { host: '10.0.0.1', files: 1, copied: 0, bytes: 0, unsized: 1 },
      ],
    });
    expect(textOf(fileOf(folder, 'report.html'))).toContain(
      'Whether the export holds the files that it names is seen when they are copied',
    );
    expect(existsSync(join(folder, 'media'))).toBe(false);
  });

  it('ends a plan that would copy files to a web address, and names what to pass instead', async () => {
    const folder = home.make();
    writeMediaExport(folder);
    const place = 'https://user:secret@files.example/{key}?signature=1';
    const { code, stderr } = await run(['plan', 'export', '--media-to', place], { folder });
    expect(code).toBe(2);
    expect(stderr).toContain('expected s3://bucket/prefix or a folder, found "https://files.example"');
    expect(stderr).toContain('--media-to s3://bucket/prefix');
    expect(stderr).not.toContain('secret');
  });

  it('reports no file totals if no location is set, and names the option that sets it', async () => {
    const folder = home.make();
    writeMediaExport(folder);
    const { stdout, json } = await runJson(['plan', 'export'], { folder });
    expect(json.media).toBeNull();
    expect(stdout).not.toContain('Files  ');
    expect(existsSync(join(folder, 'chatferry.report', 'files.csv'))).toBe(false);
    const found = reportOf(folder).decisions.find(({ id }) => id === 'attachment-bad-address');
    expect(found?.options[0]?.effect).toEqual({ runs: expect.stringContaining('--media-to') });
    expect(lossOf(folder, 'files without an address')?.count).toBe(6);
    expect(lossOf(folder, 'files by reference')?.becomes).toContain('--media-to');
  });

  it('asks for no decision that copying settles, and counts no loss for files to be copied', async () => {
    const folder = home.make();
    writeMediaExport(folder);
    await run(['plan', 'export', ...there], { folder });
    expect(codesOf(folder)).not.toContain('attachment-bad-address');
    expect(codesOf(folder)).not.toContain('message-only-file');
    expect(codesOf(folder)).toContain('attachment-without-address');
    expect(lossOf(folder, 'files without an address')?.count).toBe(1);
  });
});

describe('a report of an import that copies files', () => {
  let folder: string;
  let printed: string;
  beforeAll(async () => {
    folder = home.make();
    writeMediaExport(folder);
    const missing = ['--media-missing', 'original'];
    const imported = await run(['import', 'export', ...there, ...missing, ...formats], { folder });
    expect(imported.code, imported.stderr).toBe(0);
    printed = imported.stdout;
  });

  const sums = { files: 6, copied: 2, shared: 2, missing: 1, refused: 1, waiting: 0 };

  it('has a sum that balances, the same in JSON, CSV, HTML, Markdown and on the terminal', () => {
    const { media } = reportOf(folder);
    expect(media).toMatchObject({ ...sums, copiedBytes: 11, faultCount: 2, waitingMessages: 0 });
    const { files, copied, shared, missing, refused, waiting } = media!;
    expect(files).toBe(copied + shared + missing + refused + waiting);

    const rows = rowsOf(folder);
    const usesOf = (...states: string[]) =>
      rows.filter(({ state }) => states.includes(state!)).reduce((sum, { uses }) => sum + Number(uses), 0);
    const contents = new Set(rows.flatMap(({ key }) => key || [])).size;
    expect({
      files: usesOf('copied', 'missing', 'refused', 'waiting', 'failed'),
      copied: contents,
      shared: usesOf('copied') - contents,
      missing: usesOf('missing'),
      refused: usesOf('refused'),
      waiting: usesOf('waiting', 'failed'),
    }).toEqual(sums);

    const page = textOf(fileOf(folder, 'report.html'));
    expect(page).toContain('6 files = 2 copied + 2 shared + 1 missing + 1 refused + 0 waiting');
    expect(page).toContain('All files are accounted for.');
    expect(page).toContain('conversations.csv, problems.csv and files.csv');
    expect(fileOf(folder, 'report.md')).toContain('**6** files = **2** copied + **2** shared');
    expect(printed).toContain('6 = 2 copied + 2 shared + 1 missing + 1 refused  11 bytes at');
  });

  it('names each file, its source and its destination', () => {
    const [a, b, c, gone, inner] = rowsOf(folder);
    const key = '0967115f2813a3541eaef77de9d9d5773f1c0c04314b0bbfe4ff3b3b1c55b5d5.png';
    const address = `https://files.example/${key}`;
    expect(a).toMatchObject({ state: 'copied', host: 'export', bytes: '4', uses: '2', key, address });
    expect(b).toMatchObject({ state: 'copied', name: 'b.png', uses: '1', key });
    expect(c).toMatchObject({ state: 'copied', type: 'text/plain', location: 'export.ndjson:6' });
    expect(gone).toMatchObject({ state: 'missing', key: '', address: '', sha256: '', location: 'export.ndjson:7' });
    expect(inner).toMatchObject({ state: 'refused', host: '10.0.0.1', name: "'=inner.bin" });
  });

  it('names what could not be copied, with its reason and the place of its message', () => {
    expect(reportOf(folder).media?.faults).toEqual([
      { state: 'missing', name: 'gone.txt', host: null, reason: expect.any(String), location: 'export.ndjson:7' },
      {
        ...{ state: 'refused', name: '=inner.bin', host: '10.0.0.1', location: 'export.ndjson:8' },
        reason: expect.stringContaining('private network'),
      },
    ]);
    expect(printed).toContain('missing  export.ndjson:7');
  });

  it('holds no address that files came from', () => {
    for (const name of ['report.html', 'report.json', 'report.md', 'files.csv', 'problems.csv'])
      expect(fileOf(folder, name), name).not.toContain(mediaSecret);
    expect(printed).not.toContain(mediaSecret);
  });

  it('asks for no decision that copying has settled, in none of its forms', () => {
    const settled = ['attachment-bad-address', 'attachment-private-address', 'message-only-file'];
    for (const code of settled) expect(codesOf(folder)).not.toContain(code);
    const rows: { code: string }[] = parse(fileOf(folder, 'problems.csv'), { bom: true, columns: true });
    expect(rows.filter(({ code }) => settled.includes(code))).toEqual([]);
    expect(reportOf(folder).media?.settled).toEqual(expect.arrayContaining(settled));
  });

  it('counts only files that were not copied as lost', () => {
    // The file by reference is the one whose address is never asked. The one without an address counts once, and the
    // one that is gone is part of the total.
    expect(lossOf(folder, 'files by reference')?.count).toBe(1);
    expect(lossOf(folder, 'files without an address')?.count).toBe(1);
    expect(lossOf(folder, 'messages of files only')).toBeUndefined();
    expect(reportOf(folder).media?.notInExport).toBe(1);
  });

  it('explain shows the path of each file', async () => {
    const { stdout, json } = await explained('export.ndjson:5');
    expect(stdout).toContain('"a.png" in the export: files/a.png: copied, 4 bytes, text/plain');
    expect(stdout).toMatch(/stays at https:\/\/files\.example\/0967115f\S+ \(\S+media\)/);
    expect(stdout).toMatch(/sha256 0967115f\S+, written \S+Z, not read back since/);
    expect(json[0].files.map(({ state, path }: { state: string; path: string }) => [state, path])).toEqual([
      ['copied', 'files/a.png'],
      ['copied', 'files/b.png'],
    ]);
    const refused = await explained('export.ndjson:8');
    expect(refused.stdout).toContain('"=inner.bin" at 10.0.0.1: refused, ');
    expect(refused.json[0].files[0]).toMatchObject({ state: 'refused', host: '10.0.0.1', path: null, copy: null });
  });

  it('explain shows when a file was read back', async () => {
    await run(['media', 'verify'], { folder });
    expect((await explained('export.ndjson:6')).stdout).toMatch(/read back \S+Z: the same/);
  });

  async function explained(place: string) {
    const { stdout } = await run(['explain', place], { folder });
    const { json } = await runJson(['explain', place], { folder });
    return { stdout, json: json.messages };
  }

  it('status summarises it in one line', async () => {
    const { stdout } = await run(['status'], { folder });
    expect(stdout.match(/^Files .*6 = 2 copied \+ 2 shared \+ 1 missing \+ 1 refused/gm)).toHaveLength(1);
    const { json } = await runJson(['status'], { folder });
    expect(json.media).toMatchObject(sums);
  });

  it('is followed by an undo that leaves the files and says so', async () => {
    const { stdout } = await run(['undo', '--yes', '--to', 'sandbox'], { folder });
    expect(stdout).toMatch(/^2 files stay at \S+media: chatferry media undo deletes files that were written there$/m);
    const { json } = await runJson(['undo', '--yes', '--to', 'sandbox'], { folder });
    expect(json.stayingFiles).toEqual([{ location: expect.stringMatching(/media$/), files: 2 }]);
  });
});

describe('the question before an import', () => {
  it('says what copying files takes', async () => {
    const folder = home.make();
    writeMediaExport(folder);
    const { url } = await serveSandbox(folder);
    const asked: ReportData[] = [];
    const { exit } = await importExport({
      ...{ store: join(folder, 'chatferry.db'), from: join(folder, 'export'), to: url, apiKey: new Secret(testKey) },
      media: { to: join(folder, 'media'), address: 'https://files.example/' },
      confirm: async (report) => asked.push(report) > 1,
    });
    expect(exit).toBe(2);
    expect(asked).toMatchObject([{ media: { files: 6, waiting: 6, left: { files: 5, bytes: 8 }, notInExport: 1 } }]);
    expect(existsSync(join(folder, 'media'))).toBe(false);
  });
});

describe('a message that says that a file has come', () => {
  it('has the copy of the message that it follows, and nothing is fetched for it', async () => {
    const folder = home.make();
    writeMediaExport(folder);
    const go = (...args: string[]) => run(['import', 'export', ...args], { folder });
    await go();
    const late = await go(...there, '--drift', 'send', '--media-missing', 'original');
    expect(late.stdout).toMatch(/Follow-ups\s+3: 3 pending|Follow-ups\s+3: 3 imported/);
    const again = await go('--drift', 'send');
    expect([again.code, again.stderr]).toEqual([0, expect.not.stringContaining('not copied')]);
    expect(reportOf(folder).media).toMatchObject({
      files: 10,
      copied: 2,
      shared: 6,
      missing: 1,
      refused: 1,
      waiting: 0,
    });
    expect(rowsOf(folder).filter(({ host }) => host === 'files.example')).toEqual([]);
  });
});

describe('messages that are nothing but files', () => {
  const sample = (path: string) => fileURLToPath(new URL(`../../samples/${path}/export`, import.meta.url));

  it.each([
    // A voice message, a table and a contact are there; what was sent to be seen once is not.
    ['whatsapp/android', 4, 1],
    ['telegram/supergroup', 5, 1],
  ])('need a decision if the export does not include the files: %s', async (name, copied, left) => {
    const folder = home.make();
    cpSync(sample(name), join(folder, 'export'), { recursive: true });
    const { code, stderr } = await run(['import', 'export', ...there], { folder });
    expect(code, stderr).toBe(0);
    const { media, problems } = reportOf(folder);
    expect(media).toMatchObject({ files: copied, copied, shared: 0, missing: 0, refused: 0, waiting: 0 });
    const open = problems.find(({ code }) => code === 'message-only-file');
    expect([open?.count, open?.examples.length]).toEqual([left, left]);
    expect(lossOf(folder, 'messages of files only')?.count).toBe(left);
    const rows: { code: string }[] = parse(fileOf(folder, 'problems.csv'), { bom: true, columns: true });
    expect(rows.filter(({ code }) => code === 'message-only-file')).toHaveLength(left);
  });

  it('still need a decision if the address of a file cannot be fetched', async () => {
    const folder = home.make();
    const attachments = [{ name: 'x.bin', url: 'mxc://example.com/x' }];
    writeMediaExport(folder, [says(20, 'one', 'ann', '', { attachments })]);
    await run(['import', 'export', ...there], { folder });
    expect(codesOf(folder)).toEqual(expect.arrayContaining(['attachment-bad-address', 'message-only-file']));
  });
});
