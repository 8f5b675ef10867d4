import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { withEmbeddedPart } from '../../../src/io/input/embedded-part.ts';
import { openExport } from '../../../src/io/input/open-export.ts';
import type { Entry } from '../../../src/model/entry.ts';
import { smsbackup } from '../../../src/sources/smsbackup/index.ts';
import { BackupRows } from '../../../src/sources/smsbackup/rows.ts';
import { run, runJson } from '../../cli/in-process.ts';
import { memoryInput } from '../../contracts/memory-input.ts';
import { readAll } from '../../contracts/source.ts';
import { temporaryFolder } from '../../scenes/temporary-folder.ts';
import { isNightly } from '../../tier.ts';

const home = temporaryFolder();
const sample = 'samples/smsbackup/full-and-later/export';

const messagesIn = (entries: readonly Entry[]) =>
  entries.flatMap((entry) => (entry.type === 'record' && entry.record.kind === 'message' ? [entry.record] : []));

describe('BackupRows', () => {
  it('reads the same from chunks of any size', () => {
    const bytes = readFileSync(join(sample, 'sms-20260302.xml'));
    const read = (chunkBytes: number) => {
      const rows = new BackupRows();
      for (let at = 0; at < bytes.length; at += chunkBytes) rows.push(bytes.subarray(at, at + chunkBytes));
      return rows.take();
    };
    const whole = read(bytes.length);
    expect(whole.length).toBeGreaterThan(5);
    for (const chunkBytes of [1, 2, 7, 64, 1000]) expect(read(chunkBytes)).toEqual(whole);
  });

  it('holds nothing of the data of a file, however long it is', () => {
    const rows = new BackupRows();
    rows.push(Buffer.from('<mms><part ct="image/png" data="'));
    const chunk = Buffer.alloc(2 ** 20, 'A');
    const before = process.memoryUsage().heapUsed;
    // What it would hold is more than any garbage that may be there by then.
    const pushCount = isNightly ? 200 : 120;
    for (let index = 0; index < pushCount; index++) rows.push(chunk);
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(100 * 2 ** 20);
    rows.push(Buffer.from('" /></mms>'));
    expect(rows.take()).toMatchObject([
      { parts: [{ data: { start: 32, length: pushCount * 2 ** 20 } }], isCut: false },
    ]);
  });
});

describe('a backup of SMS Backup & Restore', () => {
  it('is inspected, planned and imported as a user would, with the files inside', async () => {
    const folder = home.make();
    const inspected = await run(['inspect', resolve(sample)], { folder });
    expect([inspected.code, inspected.stdout]).toEqual([0, expect.stringContaining('SMS Backup & Restore (')]);
    const request = [
      resolve(sample),
      '--quiet',
      '--media-to',
      'files',
      '--media-base-url',
      'https://files.example.com',
    ];
    const planned = await runJson(['plan', ...request], { folder });
    expect(planned.json).toMatchObject({ read: 12, planned: 12, invalid: 0 });
    const imported = await runJson(['import', ...request], { folder });
    expect(imported.json).toMatchObject({ read: 12, imported: 12, pending: 0 });
    const copied = readdirSync(join(folder, 'files'), { recursive: true, withFileTypes: true }).filter((file) =>
      file.isFile(),
    );
    const contents = copied.map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'utf8'));
    expect(contents).toContain('not a photo, but bytes of one');
  });

  it('is told from other files with many comments at their beginning, in no time', async () => {
    const comments = '<!-- a - b -- c --> \n'.repeat(300);
    const begins = async (root: string) =>
      (await smsbackup.probe(memoryInput({ 'a.xml': `<?xml version="1.0"?>\n${comments}<${root}></${root}>` }))).match;
    expect([await begins('smses'), await begins('others')]).toEqual(['certain', 'no']);
  });

  it('gives a file inside of it only if base64 is still where it was', async () => {
    const folder = home.make();
    const path = join(folder, 'sms.xml');
    const text = readFileSync(join(sample, 'sms-20260302.xml'), 'utf8');
    writeFileSync(path, text);
    const [input] = await openExport([path]);
    const url = messagesIn(await readAll(smsbackup, input!)).flatMap(({ attachments = [] }) => attachments)[0]!.url!;
    const inside = decodeURIComponent(url);
    const read = async () => Buffer.from(await withEmbeddedPart(input!, inside).read(inside, 1000)).toString();
    expect(await read()).toBe('not a photo, but bytes of one');
    writeFileSync(path, text.replace('count="14"', 'count="4"'));
    await expect(read()).rejects.toThrow('expected base64');
    await input!.close();
  });

  it('keeps drafts where the mapping says so, as messages of yours', async () => {
    const [input] = await openExport([sample]);
    const found = messagesIn(await readAll(smsbackup, input!, {}, { unsent: 'keep' }));
    await input!.close();
    expect(found.filter(({ custom }) => custom).map(({ text, author, custom }) => [text, author, custom])).toEqual([
      ['Never fini', 'self', { unsent: 'drafts' }],
      ['Failed', 'self', { unsent: 'messages that failed' }],
    ]);
  });

  it('has no words and names of the app in those of a person', async () => {
    const sms = (values: string) => `<sms address="+15555550100" date="1772442000000" type="1" ${values}/>`;
    const rcs = 'proto:CkIKImNvbS5nb29nbGUu';
    const rows = [
      sms('subject="NoSubject" body="One" contact_name="+1 555-555-0100"'),
      sms(`subject="${rcs}" body="Two" contact_name="(Unknown)"`),
      sms('subject="null" body="null"'),
      `<mms date="1772442000000" msg_box="1" sub="${rcs}" address="+15555550100"><parts><part ct="text/plain" text="${rcs}"/><part ct="text/plain" text="Three"/></parts></mms>`,
      sms('subject="Tide" body="proto: is a word" contact_name="+1 (555) 555-0100"'),
    ];
    const entries = await readAll(smsbackup, memoryInput({ 'sms.xml': `<smses count="5">${rows.join('')}</smses>` }));
    expect(messagesIn(entries).map(({ text }) => text)).toEqual([
      'One',
      'Two',
      '',
      'Three',
      '**Tide**\nproto: is a word',
    ]);
    const people = entries.flatMap((entry) =>
      entry.type === 'record' && entry.record.kind === 'user' ? [entry.record] : [],
    );
    expect(people.find(({ id }) => id !== 'self')).toMatchObject({ name: '+15555550100', isPlaceholder: true });
  });

  it('has no one in a group whom the others did not see', async () => {
    const addr = (type: string) => (address: string) => `<addr address="${address}" type="${type}"/>`;
    const row = (id: string, to: readonly string[], blind: readonly string[]) =>
      `<mms date="1772442000000" msg_box="2" address="${[...to, ...blind].join('~')}" contact_name="Ann, Ben, Cy" m_id="${id}"><parts><part ct="text/plain" text="${id}"/></parts><addrs>${addr('137')('+1999')}${to.map(addr('151')).join('')}${blind.map(addr('129')).join('')}</addrs></mms>`;
    const rows = [
      row('group', ['+1555', '+1666'], []),
      row('and a blind copy', ['+1555', '+1666'], ['+1777']),
      row('one of two', ['+1555'], ['+1777']),
      row('only a blind copy', [], ['+1777']),
      row('two blind copies', [], ['+1777', '+1666']),
      row('named twice', ['+1555', '+1777'], ['+1777']),
    ];
    const entries = await readAll(smsbackup, memoryInput({ 'sms.xml': `<smses count="6">${rows.join('')}</smses>` }));
    expect(messagesIn(entries).map(({ text, origin }) => [text, origin.conversation])).toEqual([
      ['group', '+1555~+1666'],
      ['and a blind copy', '+1555~+1666'],
      ['one of two', '+1555'],
      ['only a blind copy', '+1777'],
      ['named twice', '+1555~+1777'],
    ]);
    const named = entries.flatMap((entry) => (entry.type === 'invalid' || entry.type === 'problem' ? entry.code : []));
    expect(named).toEqual(['smsbackup-no-address', 'smsbackup-blind-copies']);
    const groups = entries.flatMap((entry) =>
      entry.type === 'record' && entry.record.kind === 'conversation' ? [[entry.record.id, entry.record.name]] : [],
    );
    expect(groups).toEqual([
      ['+1555~+1666', 'Ann, Ben, Cy'],
      ['+1555', ''],
      ['+1777', ''],
      ['+1555~+1777', 'Ann, Ben, Cy'],
    ]);
  });

  it('has a group without your own number where the mapping names it', async () => {
    const row = (addresses: string) =>
      `<mms date="1772442000000" msg_box="1" address="${addresses}" m_id="${addresses}"><parts><part ct="text/plain" text="hi"/></parts></mms>`;
    const xml = `<smses count="2">${row('+1555~+1666')}${row('+1555~+1666~+1 777')}</smses>`;
    const input = memoryInput({ 'sms.xml': xml });
    const idsWith = async (own: readonly string[]) =>
      new Set(messagesIn(await readAll(smsbackup, input, {}, { own })).map(({ origin }) => origin.conversation));
    expect([(await idsWith([])).size, (await idsWith(['+1777'])).size]).toEqual([2, 1]);
  });
});

describe('an SMS to several numbers', () => {
  const sms = (address: string, name: string) =>
    `<sms address="${address}" date="1772359200000" type="2" body="The gate opens" contact_name="${name}" />`;
  const read = async (address: string) => {
    const text = `<smses count="1">${sms(address, 'Ann, Bo')}</smses>`;
    const entries = await readAll(smsbackup, memoryInput({ 'sms-1.xml': text }));
    return entries.flatMap((entry) =>
      entry.type === 'record' && entry.record.kind === 'conversation' ? [entry.record.members] : [],
    )[0];
  };

  it.each(['+15550100001 +15550100002', '+15550100001;+15550100002', '+1 555 010-0001, +1 555 010-0002'])(
    'is of a group: %s',
    async (address) => {
      expect(await read(address)).toEqual(['self', '+15550100001', '+15550100002']);
    },
  );

  it.each(['+44 7700 900123', '07700 900123', '(555) 010 0001'])(
    'is not one to a number with blanks: %s',
    async (address) => {
      expect(await read(address)).toHaveLength(2);
    },
  );
});
