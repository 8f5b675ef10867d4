import { DatabaseSync } from 'node:sqlite';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openExport } from '../../../src/io/input/open-export.ts';
import { xmpp } from '../../../src/sources/xmpp/index.ts';
import { run, runJson } from '../../cli/in-process.ts';
import { readAll } from '../../contracts/source.ts';
import { messagesOf } from '../../contracts/source/check.ts';
import { sharedFolder } from '../../requirements.ts';
import { sandboxContents } from '../../scenes/sandbox-contents.ts';
import { temporaryFolder } from '../../scenes/temporary-folder.ts';

const home = temporaryFolder();
const sampleOf = (name: string) => resolve(`samples/xmpp/${name}/export`);

describe('archives of XMPP servers', () => {
  it('are inspected, planned and imported as a user would, each message once', async () => {
    const folder = home.make();
    const path = sampleOf('xep-0227');
    const inspected = await run(['inspect', path], { folder });
    expect([inspected.code, inspected.stdout]).toEqual([0, expect.stringContaining('XMPP servers (')]);
    expect(inspected.stdout).toContain('Ines Alba: ');
    const planned = await runJson(['plan', path, '--quiet'], { folder });
    expect(planned.json).toMatchObject({ read: 17, planned: 15, skipped: 2, invalid: 0 });
    const imported = await runJson(['import', path, '--quiet'], { folder });
    expect(imported.json).toMatchObject({ read: 17, imported: 15, verify: { same: 15, missing: 0, different: 0 } });
    const sent = JSON.stringify([...sandboxContents(join(folder, 'chatferry.sandbox.db')).values()]);
    expect(sent).not.toMatch(/OMEMO|Wrong window|attempted to retract|not-a-password|Yess/);
    expect(sent.match(/Is the crane free/g)?.length).toBe(1);
  });

  it('of a room have no private message of it', async () => {
    const folder = home.make();
    const imported = await runJson(['import', sampleOf('ejabberd'), '--quiet'], { folder });
    expect(imported.json).toMatchObject({ read: 9, imported: 7, skipped: 2 });
    const rows = [...sandboxContents(join(folder, 'chatferry.sandbox.db')).values()].map((row) => JSON.stringify(row));
    const secret = rows.filter((row) => row.includes('Between us') || row.includes('Only for Ines'));
    expect(secret.length).toBeGreaterThan(0);
    for (const row of secret)
      expect(row).not.toMatch(/"receiver":"harbour[^"]*conference[^"]*",.*"receiverType":"group"/);
  });

  it.skipIf(sharedFolder('exports') === null)('that others published are read', async () => {
    const [input] = await openExport([join(sharedFolder('exports')!, 'xmpp')]);
    const entries = await readAll(xmpp, input!);
    await input!.close();
    expect(messagesOf(entries).map(({ author, sentAtMs }) => [author, new Date(sentAtMs).toISOString()])).toEqual([
      ['romeo@montague.lit', '2010-07-10T23:08:25.000Z'],
      ['juliet@capulet.lit', '2010-07-10T23:09:32.000Z'],
      ['romeo@montague.net', '1469-07-21T00:32:29.000Z'],
    ]);
    expect(entries.filter(({ type }) => type === 'invalid')).toEqual([]);
  });

  it('are read from a SQLite file of ejabberd or Prosody', async () => {
    const folder = home.make();
    const xml = `<message from='ines@example.com/x' to='bo@example.com' type='chat' id='a'><body>From a file</body></message>`;
    const files = { 'ejabberd.db': ejabberdTable, 'prosody.sqlite': prosodyTable };
    for (const [name, sql] of Object.entries(files)) {
      const db = new DatabaseSync(join(folder, name));
      db.exec(sql.replaceAll('$XML', xml.replaceAll("'", "''")));
      db.close();
      const [input] = await openExport([join(folder, name)]);
      expect(await xmpp.probe(input!)).toMatchObject({ match: 'certain' });
      const found = messagesOf(await readAll(xmpp, input!));
      await input!.close();
      expect(found.map(({ author, text, sentAtMs }) => [author, text, sentAtMs])).toEqual([
        ['ines@example.com', 'From a file', 1772442900000],
        ['ines@example.com', 'From a file', 1772442900000],
      ]);
      expect(new Set(found.map(({ origin }) => origin.id)).size).toBe(1);
    }
  });
});

const ejabberdTable = `
  CREATE TABLE archive (username text NOT NULL, timestamp BIGINT UNSIGNED NOT NULL, peer text NOT NULL, bare_peer text NOT NULL, xml text NOT NULL,
    txt text, id INTEGER PRIMARY KEY AUTOINCREMENT, kind text, nick text, created_at timestamp);
  INSERT INTO archive VALUES ('ines', 1772442900000001, 'bo@example.com', 'bo@example.com', '$XML', '', 1, 'chat', '', NULL),
    ('bo', 1772442900000002, 'ines@example.com/x', 'ines@example.com', '$XML', '', 2, 'chat', '', NULL);`;

const prosodyTable = `
  CREATE TABLE "prosodyarchive" ("sort_id" INTEGER PRIMARY KEY AUTOINCREMENT, "host" TEXT, "user" TEXT, "store" TEXT, "key" TEXT, "when" INTEGER, "with" TEXT, "type" TEXT, "value" TEXT);
  INSERT INTO "prosodyarchive" VALUES (1, 'example.com', 'ines', 'archive', 'k1', 1772442900, 'bo@example.com', 'xml', '$XML'),
    (2, 'example.com', 'bo', 'archive', 'k2', 1772442900, 'ines@example.com', 'xml', '$XML');`;
