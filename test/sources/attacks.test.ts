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
