import { truncateSync, utimesSync, writeFileSync, readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { importExport } from '../../../src/commands/import.ts';
import { planExport } from '../../../src/commands/plan.ts';
import { atUpdate, sessionRequest } from '../../scenes/session-request.ts';
import { channel, person, says } from '../../scenes/write-records.ts';
import { growingScene } from './scene.ts';

const growing = growingScene();

const ndjson = { name: 'messages.ndjson', source: 'chatferry' };
const csv = {
  name: 'messages.csv',
  source: 'csv',
  mapping:
    'source: { messages: { conversation: room, author: who, time: { from: at, format: unix-ms }, text: text, id: id } }',
};
const withoutIds = { ...csv, mapping: csv.mapping.replace(', id: id', '') };

const message = (number: number, text = `Message ${number}`) =>
  `${JSON.stringify(says(number, 'general', 'ann', text))}\n`;
const messages = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, index) => message(from + index)).join('');
const row = (number: number, text = `Message ${number}`) =>
  `${number},general,ann,${1_700_000_000_000 + number * 1000},"${text}"\n`;
const rows = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => row(from + index)).join('');
const head = 'id,room,who,at,text\n';
const texts = (file: ReturnType<typeof growing>) => {
  const db = new Database(join(file.folder, 'chatferry.db'), { readonly: true });
  const found = db
    .prepare(
      `SELECT payload ->> '$.data.text' FROM message WHERE verdict = 'planned' AND vanished = 0 ORDER BY sent_at, seq`,
    )
    .pluck()
    .all();
  db.close();
  return found;
};

describe('a file of lines that has grown', () => {
  it.each([
    ['chatferry', ndjson, messages(0, 1000), messages(1000, 1010)],
    ['csv', csv, head + rows(0, 1000), rows(1000, 1010)],
    ['csv without ids', withoutIds, head + rows(0, 1000), rows(1000, 1010)],
  ])('costs what grew: %s', async (_, format, before, added) => {
    const [file, whole] = [growing(format), growing(format)];
    file.write(before);
    expect(await file.plan()).toMatchObject({ readCount: 1000, report: { books: { read: 1000 } } });
    file.append(added);
    expect(await file.plan()).toMatchObject({
      readCount: 10,
      report: { books: { read: 1010, planned: 1010, repeated: 0 } },
    });
    whole.write(before + added);
    await whole.plan();
    expect(file.staged()).toEqual(whole.staged());
    expect(await file.plan()).toMatchObject({ readCount: 0 });
  });

  it('is read from its start where it is another one: replaced, shortened, or changed in its middle at the same length', async () => {
    const file = growing(ndjson);
    file.write(messages(0, 1000));
    await file.plan();
    const same = readFileSync(file.path, 'utf8').replace('Message 500"', 'Massage 500"');
    file.write(same + messages(1000, 1001));
    expect(await file.plan()).toMatchObject({ readCount: 1001, report: { books: { read: 1001 } } });
    expect(texts(file)[500]).toBe('Massage 500');
    truncateSync(file.path, Buffer.byteLength(same) - 10);
    expect(await file.plan()).toMatchObject({ readCount: 1000, report: { books: { read: 1000, rejected: 1 } } });
    file.write(messages(5000, 7000));
    expect(await file.plan()).toMatchObject({ readCount: 2000, report: { books: { read: 2000, rejected: 0 } } });
  });

  it('costs nothing where only its time changed', async () => {
    const file = growing(ndjson);
    file.write(messages(0, 2000));
    await file.plan();
    utimesSync(file.path, 1, 1);
    expect(await file.plan()).toMatchObject({ readCount: 0, report: { books: { read: 2000 } } });
  });

  it('reads a last line again that was cut, and forgets what it made of it', async () => {
    const file = growing(withoutIds);
    file.write(`${head}${row(1)}2,general,ann,1700000002000,"all of it`);
    expect((await file.plan()).report.books).toMatchObject({ read: 2, planned: 1, rejected: 1 });
    file.append(', and\nmore"\n');
    expect(await file.plan()).toMatchObject({ readCount: 1, report: { books: { read: 2, planned: 2, rejected: 0 } } });
    expect(texts(file)).toEqual(['Message 1', 'all of it, and\nmore']);
    file.append('3,general,ann,1700000003000,half');
    expect((await file.plan()).report.books).toMatchObject({ read: 3, planned: 3 });
    file.append(' a word\n');
    expect(await file.plan()).toMatchObject({ readCount: 1, report: { books: { read: 3, planned: 3, repeated: 0 } } });
    expect(texts(file).at(-1)).toBe('half a word');
  });

  it('keeps what was sent of a line that was cut, as gone from the export', async () => {
    const file = growing(withoutIds);
    file.write(`${head}${row(1)}2,general,ann,1700000002000,half`);
    const request = () =>
      sessionRequest(file.folder, { from: [file.path], source: 'csv', mapping: withoutIds.mapping });
    expect((await importExport(await request())).report.books).toMatchObject({ imported: 2 });
    file.append(' a word\n');
    const { report, exit } = await importExport(await request());
    expect(report.books).toMatchObject({ read: 3, planned: 3, imported: 3 });
    expect(exit).toBe(0);
    expect(texts(file)).toEqual(['Message 1', 'half a word']);
  });

  it('counts equal rows without ids on from where it was', async () => {
    const [file, whole] = [growing(withoutIds), growing(withoutIds)];
    const twice = row(1) + row(1);
    file.write(head + twice);
    await file.plan();
    file.append(twice);
    const { report, readCount } = await file.plan();
    expect([report.books.planned, readCount]).toEqual([4, 2]);
    whole.write(head + twice + twice);
    await whole.plan();
    expect(file.staged()).toEqual(whole.staged());
  });

  it('is read from its start under another mapping', async () => {
    const file = growing(csv);
    file.write(head + rows(0, 100));
    await file.plan();
    file.append(rows(100, 101));
    const changed = { ...csv, mapping: `${csv.mapping}\nmessages: { tags: [moved] }` };
    const request = { from: [file.path], source: 'csv', mapping: changed.mapping, acceptMapping: true };
    const { report } = await planExport(await sessionRequest(file.folder, request));
    expect(report.books.planned).toBe(101);
    expect(JSON.stringify(file.staged().messages[0])).toContain('moved');
  });

  it('is read from its start where more of its beginning shows that it is written otherwise', async () => {
    const [file, whole] = [growing(csv), growing(csv)];
    const before = head + rows(0, 3);
    const added = Buffer.from(
      Array.from({ length: 300 }, (_, index) => row(10 + index, 'caf\xe9 \xe0 la cr\xe8me')).join(''),
      'latin1',
    );
    file.write(before);
    await file.plan();
    file.append(added);
    expect(await file.plan()).toMatchObject({ readCount: 303 });
    whole.write(Buffer.concat([Buffer.from(before), added]));
    await whole.plan();
    expect(file.staged()).toEqual(whole.staged());
    expect(texts(file).at(-1)).toBe('café à la crème');
  });

  it('is read from its start after a plan that was killed in the middle of what was added', async () => {
    const [file, whole] = [growing(ndjson), growing(ndjson)];
    file.write(messages(0, 100));
    await file.plan();
    file.append(messages(100, 12_100));
    const killed = atUpdate(1, () => {
      throw new Error('killed');
    });
    const request = await sessionRequest(file.folder, { from: [file.path], progress: killed });
    await expect(planExport(request)).rejects.toThrow('killed');
    const { report } = await file.plan();
    expect(report.books).toMatchObject({ read: 12_100, planned: 12_100, repeated: 0 });
    whole.write(readFileSync(file.path));
    await whole.plan();
    expect(file.staged().messages).toEqual(whole.staged().messages);
  });

  it('is read whole each time where it is packed', async () => {
    const file = growing({ ...ndjson, name: 'messages.ndjson.gz' });
    file.write(gzipSync(messages(0, 50)));
    await file.plan();
    file.write(gzipSync(messages(0, 60)));
    expect(await file.plan()).toMatchObject({ readCount: 60, report: { books: { read: 60, planned: 60 } } });
  });

  it('leaves the books as a whole when it is gone, its cut last line with it', async () => {
    const file = growing(ndjson);
    const [other, both] = [join(file.folder, 'a', 'other.ndjson'), [join(file.folder, 'a')]];
    const { mkdirSync, rmSync } = await import('node:fs');
    mkdirSync(both[0]!);
    const grown = join(both[0]!, 'grown.ndjson');
    writeFileSync(other, message(900));
    writeFileSync(grown, messages(0, 5) + message(6).trimEnd());
    expect((await file.plan(both)).report.books.read).toBe(7);
    rmSync(grown);
    expect((await file.plan(both)).report.books.read).toBe(1);
    expect(file.staged().count).toEqual([[1]]);
  });
});

describe('what a plan made of a last line that was cut', () => {
  const mapped = (keys: string) => `source: { messages: { time: { from: at, format: unix-ms }, text: text, ${keys} } }`;
  const at = 1_700_000_000_000;
  const named = {
    name: 'named.csv',
    source: 'csv',
    mapping: mapped('author: who, authorName: name, conversation: room, conversationName: called'),
  };

  /** Plans the file after each piece, and a second one at once: both must be staged alike. */
  async function planInPieces(format: Parameters<typeof growing>[0], pieces: readonly string[]) {
    const [file, whole] = [growing(format), growing(format)];
    for (const [index, piece] of pieces.entries()) {
      if (index === 0) file.write(piece);
      else file.append(piece);
      await file.plan();
    }
    whole.write(pieces.join(''));
    await whole.plan();
    expect(file.staged()).toEqual(whole.staged());
    return file.staged();
  }

  it('leaves no conversation behind: a row in which a quote turned out to be open', async () => {
    const before = 'id,room,who,at,text\nc,general,an"n,1700000000000,';
    const others = ['Grüße', 'hello', 'a ""quoted"" word', 'hello'].map(
      (text, index) => `m${index},random,ann,${at},"${text}"\n`,
    );
    const behind = `"x"\r\n${others.join('')}c,general,an"n,1700000000000,"x"`;
    const { conversations, problems } = await planInPieces(csv, [before, behind]);
    expect(conversations.map(([id]) => id)).toEqual(['random']);
    expect(problems).not.toContainEqual(expect.arrayContaining(['empty-conversation']));
  });

  it.each([
    ['rooms', 'at,text,who,name,room,called', 'ann,Ann,general,General', 'anna,Anna,random,Random'],
    ['people', 'at,text,room,called,who,name', 'general,General,ann,Ann', 'random,Random,anna,Anna'],
  ])('leaves nobody behind, and no name whose last letters had not come: %s', async (_, head, first, second) => {
    const text = `${head}\n${at},hello,${first}\n${at},hello,${second}\n`;
    for (let cut = text.indexOf(second) + 2; cut < text.length; cut += 4) {
      const { people, conversations } = await planInPieces(named, [text.slice(0, cut), text.slice(cut)]);
      expect(people.map(([id, , name]) => [id, name])).toEqual([
        ['ann', 'Ann'],
        ['anna', 'Anna'],
      ]);
      expect(conversations.map(([id, , name]) => [id, name])).toEqual([
        ['general', 'General'],
        ['random', 'Random'],
      ]);
    }
  });

  it('stops no plan: somebody cut to the uid of another', async () => {
    const file = growing(csv);
    file.write(`id,room,at,text,who\n1,general,${at},a,ANN\n2,general,${at},b,ann`);
    await expect(file.plan()).rejects.toThrow('would all become uid "ann"');
    file.append('abel\n');
    expect((await file.plan()).report.books).toMatchObject({ read: 2, planned: 2 });
  });

  it('makes no group of a direct conversation: an author cut to another', async () => {
    const direct = {
      name: 'direct.csv',
      source: 'csv',
      mapping: mapped('author: who, conversation: { between: [one, other] }'),
    };
    const { conversations } = await planInPieces(direct, [
      `at,text,one,other,who\n${at},hello,ann,bobby,ann\n${at},hello,ann,bobby,bob`,
      `by\n`,
    ]);
    expect(conversations).toEqual([expect.arrayContaining(['ann:bobby', 'direct', 'user'])]);
  });

  it('takes no link from a reply whose root comes with what is added', async () => {
    const replies = {
      ...csv,
      mapping: `${csv.mapping.replace('id: id', 'id: id, reply: root')}\nmessages: { orphans: unlink }`,
    };
    const line = (id: number, root: string) => `${id},general,ann,${at + id},"hello",${root}\n`;
    const pieces = [`id,room,who,at,text,root\n${line(1, '3')}${line(2, '9')}`, line(3, '')];
    const { messages: staged } = await planInPieces(replies, pieces);
    expect(staged.map((cells) => JSON.stringify(cells).includes('thread'))).toEqual([true, false, false]);
  });
});

describe('an export that is read whole', () => {
  it('leaves nobody behind, and no conversation, that it no longer describes', async () => {
    const file = growing(ndjson);
    const lines = (...records: object[]) => records.map((record) => `${JSON.stringify(record)}\n`).join('');
    const hello = [says(1, 'general', 'ann', 'Hello'), says(2, 'general', 'ann', 'Hello')];
    file.write(lines(person('ann'), person('ANN'), channel('general'), channel('empty'), ...hello));
    await expect(file.plan()).rejects.toThrow('"ann" and "ANN" would all become uid "ann"');
    file.write(lines(person('ann'), channel('general'), ...hello));
    expect((await file.plan()).report.books).toMatchObject({ read: 2, planned: 2 });
    const { people, conversations } = file.staged();
    expect([people.map(([id]) => id), conversations.map(([id]) => id)]).toEqual([['ann'], ['general']]);
  });
});

describe('a file of people and messages that has grown', () => {
  const [ann, bob] = [person('ann'), person('bob')];
  const described = (...records: object[]) => records.map((record) => `${JSON.stringify(record)}\n`).join('');

  it('is read from where it ended, and knows the people and conversations that stand before', async () => {
    const [file, whole] = [growing(ndjson), growing(ndjson)];
    const before = described(ann, bob, channel('general', { type: 'public', name: 'General' })) + messages(0, 500);
    const added = messages(500, 503) + described(person('cy'), says(600, 'general', 'cy', 'Hello'));
    file.write(before);
    await file.plan();
    file.append(added);
    expect(await file.plan()).toMatchObject({ readCount: 4, report: { books: { read: 504 } } });
    whole.write(before + added);
    await whole.plan();
    expect(file.staged()).toEqual(whole.staged());
  });

  it('has everything read where it describes somebody whom other files may name', async () => {
    const file = growing(ndjson);
    const { mkdirSync } = await import('node:fs');
    const folder = join(file.folder, 'export');
    mkdirSync(folder);
    const people = join(folder, 'people.ndjson');
    const day = join(folder, 'day.ndjson');
    writeFileSync(people, described(ann, channel('general')) + messages(0, 300));
    writeFileSync(day, messages(300, 400) + described(says(401, 'general', 'cy', 'Who am I')));
    await file.plan([folder]);
    writeFileSync(people, messages(500, 503), { flag: 'a' });
    writeFileSync(day, messages(600, 602), { flag: 'a' });
    expect(await file.plan([folder])).toMatchObject({ readCount: 5, report: { books: { read: 406 } } });
    writeFileSync(day, messages(602, 604), { flag: 'a' });
    expect(await file.plan([folder])).toMatchObject({ readCount: 2, report: { books: { read: 408 } } });
    writeFileSync(people, described(person('cy', { name: 'Cy' })), { flag: 'a' });
    expect(await file.plan([folder])).toMatchObject({ readCount: 408, report: { books: { read: 408, planned: 408 } } });
  });
});
