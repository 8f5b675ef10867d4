import { cpSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { run } from '../cli/in-process.ts';
import { sharedFolder } from '../requirements.ts';
import { temporaryFolder } from '../scenes/temporary-folder.ts';

const cases = sharedFolder('cases');
const home = temporaryFolder();

/** Plans a file of a case with the mapping beside it. */
async function plan(name: string, file: string, mapping = 'mapping.yaml') {
  const folder = join(home.make(), name);
  cpSync(join(cases!, name), folder, { recursive: true });
  const before = readdirSync(folder);
  const { code, stdout, stderr } = await run(['plan', file, '--mapping', mapping, '--report', '../report'], { folder });
  return {
    code,
    said: `${stdout}${stderr}`,
    before,
    after: readdirSync(folder).filter((path) => !/^chatferry/.test(path)),
  };
}

describe.skipIf(cases === null)('an export that was made to pass unread', () => {
  it.each([
    ['messages.sqlite', 4, 'no such function: app_decrypt'],
    ['users.sqlite', 3, 'no such function: app_name'],
  ])('%s with a view that SQLite cannot evaluate ends with %i and its words', async (file, code, words) => {
    expect(await plan('attack-sqlite-broken-view', file)).toMatchObject({ code, said: expect.stringContaining(words) });
  });

  it('makes three invalid rows of cells that are made of nothing and too large', async () => {
    const { code, said } = await plan('attack-sqlite-generated-cell', 'app.sqlite');
    expect({ code, said }).toMatchObject({ code: 3, said: expect.stringMatching(/3 {2}cell-too-large/) });
  });

  it('names each statement of a dump that is not read, and reads the others', async () => {
    const { code, said } = await plan('attack-dump-other-inserts', 'dump.sql');
    expect({ code, said }).toMatchObject({
      code: 3,
      said: expect.stringMatching(/Planned {4}5[\s\S]*3 {2}dump-statement/),
    });
  });

  it('leaves the folder of a SQLite file as it was, and says that newer rows may be missing', async () => {
    const { said, before, after } = await plan(
      'attack-sqlite-stale-shm',
      'app.sqlite',
      join(cases!, 'attack-dump-other-inserts/mapping.yaml'),
    );
    expect(after).toEqual(before);
    expect(said).toContain('database-without-log');
  });
});

/** Plans a whole case, or a folder in it. */
async function planAll(name: string, inside = '.') {
  const folder = join(home.make(), name);
  // Its words are no part of the export.
  cpSync(join(cases!, name), folder, { recursive: true, filter: (path) => !path.endsWith('why.txt') });
  const { code, stdout } = await run(['plan', join(folder, inside), '--quiet'], { folder: home.make() });
  return { code, said: stdout };
}

describe.skipIf(cases === null)('an export with one thing that is not as it should be', () => {
  it.each([
    ['attack-badutf8', 3, /2 {2}whatsapp-bad-time[\s\S]*:3\n/],
    ['attack-login', 3, /Planned {4}2[\s\S]*two\.json: .*a page of HTML/],
    ['attack-slackts', 3, /Planned {4}1[\s\S]*1 {2}text-not-understood[\s\S]*2026-03-02\.json#\/1/],
    ['attack-stream', 0, /Read {7}7 .* of stream/],
    ['attack-teams16', 0, /Planned {4}5 {2}in 2 conversations/],
  ])('%s ends with %i, and every other row arrives', async (name, code, words) => {
    expect(await planAll(name)).toMatchObject({ code, said: expect.stringMatching(words) });
  });

  it.each([
    ['attack-dpkg', /Planned {4}1[\s\S]*"photo\.png"[\s\S]*attachment-without-address/],
    ['attack-discord-attachment', /Planned {4}7 {2}in 3 conversations/],
  ])('%s is a whole package, of which everything arrives', async (name, words) => {
    expect(await planAll(name, 'package')).toMatchObject({ code: 0, said: expect.stringMatching(words) });
  });

  it('a table whose rows are all too large is not called empty by init', async () => {
    const folder = join(home.make(), 'case');
    cpSync(join(cases!, 'attack-sqlite-generated-cell'), folder, { recursive: true });
    const { code, stdout } = await run(['init', 'app.sqlite', '--yes', '--mapping', 'own.yaml'], { folder });
    expect({ code, stdout }).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('messages has rows that cannot be read'),
    });
    expect(readFileSync(join(folder, 'own.yaml'), 'utf8')).not.toContain('without a row');
  });
});

describe('a folder of others with links where files are written', () => {
  const exportPath = fileURLToPath(new URL('../../samples/slack/every-feature/export', import.meta.url));

  it.each(['chatferry.report', 'chatferry.db', 'chatferry.db-wal', 'chatferry.db.lock'])(
    '%s is refused before anything is written, and what it leads to stays',
    async (name) => {
      const [folder, target] = [home.make(), home.make()];
      writeFileSync(join(target, 'report.html'), 'mine');
      symlinkSync(name.endsWith('report') ? target : join(target, 'other'), join(folder, name));
      const { code, stderr } = await run(['plan', exportPath, '--quiet'], { folder });
      expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining('it is a link to') });
      expect([readdirSync(target), readFileSync(join(target, 'report.html'), 'utf8')]).toEqual([
        ['report.html'],
        'mine',
      ]);
    },
  );

  it('is used where the user names the report folder', async () => {
    const [folder, target] = [home.make(), home.make()];
    symlinkSync(target, join(folder, 'reports'));
    expect(await run(['plan', exportPath, '--quiet', '--report', 'reports'], { folder })).toMatchObject({ code: 0 });
    expect(readdirSync(target)).toContain('report.html');
  });
});
