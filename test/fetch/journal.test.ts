import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { Journal, type KeptPage, type Walk } from '../../src/fetch/journal.ts';
import { firstPlace } from '../../src/fetch/answers/paging.ts';
import { run } from '../cli/in-process.ts';
import { temporaryFolder } from '../scenes/temporary-folder.ts';
import { localRecipe } from './fetched.ts';
import { startMock } from './mock/mock-provider.ts';
import { twilioDialect } from './mock/twilio.ts';
import { makeWorld } from './mock/world.ts';

const home = temporaryFolder();
const about = { provider: 'example', settings: '{}' };
const counts = { rows: 1, edited: 0, removed: 0, private: 0 };

const pageOf = (walk: Walk, path: string, text: string, more: Partial<KeptPage> = {}): KeptPage => ({
  walk,
  next: { page: 2, offset: 1, kept: 1, value: 'next' },
  file: { path, text, isWhole: false },
  ids: new Map([[text, text]]),
  ...{ counts, changed: 0, passed: 0, walks: [], files: [] },
  ...more,
});

function begun() {
  const folder = join(home.make(), 'out');
  const journal = new Journal(folder, about, 0);
  journal.beginList('rooms', {}, firstPlace);
  const [walk] = [...journal.openWalks('rooms')];
  return { folder, journal, walk: walk! };
}

describe('the journal of a fetch', () => {
  it('cuts off what a kill left behind the last whole page, and goes on from there', () => {
    const { folder, journal, walk } = begun();
    journal.keep(pageOf(walk, 'rooms.ndjson', '{"id":1}\n'));
    journal.close();
    appendFileSync(join(folder, 'rooms.ndjson'), '{"id":2}\n{"i');

    const again = new Journal(folder, about, 0);
    expect(readFileSync(join(folder, 'rooms.ndjson'), 'utf8')).toBe('{"id":1}\n');
    const [open] = [...again.openWalks('rooms')];
    expect(open?.place).toMatchObject({ page: 2, value: 'next' });
    again.keep(pageOf(open!, 'rooms.ndjson', '{"id":2}\n', { next: undefined }));
    again.close();
    expect(readFileSync(join(folder, 'rooms.ndjson'), 'utf8')).toBe('{"id":1}\n{"id":2}\n');
  });

  it.each([
    ['changed', (path: string) => writeFileSync(path, '{"id":7}\n')],
    ['shorter', (path: string) => writeFileSync(path, '{')],
  ])('goes on in no folder in which a file is %s', (_, change) => {
    const { folder, journal, walk } = begun();
    journal.keep(pageOf(walk, 'rooms.ndjson', '{"id":1}\n'));
    journal.close();
    change(join(folder, 'rooms.ndjson'));
    expect(() => new Journal(folder, about, 0)).toThrow('is not what was fetched');
  });

  it('gives two names that differ in case alone two files', () => {
    const { folder, journal, walk } = begun();
    journal.keep(pageOf(walk, 'm/Ab.ndjson', 'one\n'));
    journal.keep(pageOf(walk, 'm/aB.ndjson', 'two\n'));
    journal.keep(pageOf(walk, 'm/aB.ndjson', 'three\n'));
    expect(readFileSync(join(folder, 'm/Ab.ndjson'), 'utf8')).toBe('one\n');
    expect(readFileSync(join(folder, journal.fileFor('m/aB.ndjson')), 'utf8')).toBe('two\nthree\n');
    expect(existsSync(join(folder, journal.fileFor('m/aB.ndjson').toLowerCase()))).toBe(false);
    journal.close();
  });

  it('is used by one process at a time', () => {
    const { folder, journal } = begun();
    expect(() => new Journal(folder, about, 0)).toThrow('Cannot take');
    journal.close();
    new Journal(folder, about, 0).close();
  });

  it('says what the provider did not give', () => {
    const { journal, walk } = begun();
    journal.keep(pageOf(walk, 'rooms.ndjson', '{"id":1}\n', { next: undefined, total: 4 }));
    expect([...journal.gaps()]).toEqual([{ step: 'rooms', values: {}, why: '4 were announced, 1 came', missing: 3 }]);
    journal.close();
  });
});

it('a fetch that was killed when it knew of a file, and before the file was there, goes on', async () => {
  const folder = home.make();
  const mock = await startMock(twilioDialect, makeWorld(2, 3), {
    before: (number) => (number === 2 ? { status: 401, json: { message: 'no' } } : undefined),
  });
  const recipe = localRecipe('twilio', mock.url, folder);
  const args = ['fetch', '--recipe', recipe, '--set', `account=${twilioDialect.settings.account}`, '--out', 'out'];
  const again = () => run(args, { folder, env: { CHATFERRY_FROM_KEY: 'f'.repeat(32) } });
  expect((await again()).code).toBe(8);
  const db = new Database(join(folder, 'out/.chatferry-fetch.db'));
  db.exec(`INSERT INTO files VALUES ('users.ndjson', 'users.ndjson', 0, 0, '', NULL)`);
  db.close();
  const { code, stderr } = await again();
  expect({ code, error: /Cannot.*/.exec(stderr)?.[0] }).toEqual({ code: 0, error: undefined });
});
