import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { samplesOf } from '../contracts/samples.ts';
import { confirmReading } from '../scenes/confirm-reading.ts';
import { temporaryFolder } from '../scenes/temporary-folder.ts';
import { run, runJson } from './in-process.ts';

const home = temporaryFolder();
const [sample] = samplesOf('database').filter(({ name }) => name === 'mapping-own-database');

/** A folder with the database of a bakery. */
function bakery(): string {
  const folder = home.make();
  copyFileSync(join(sample!.folder, 'export.sqlite'), join(folder, 'bakery.sqlite'));
  return folder;
}

const answers = [
  ...['--set', 'source.messages.reply=reply_to_id'],
  ...['--set', 'source.conversations.type={from: kind, values: {channel: public, group: private, direct: direct}}'],
];

describe('a database of your own', () => {
  it('is shown with its tables, open questions, rows and messages before anything is written', async () => {
    const folder = bakery();
    const { code, stdout } = await run(['inspect', 'bakery.sqlite'], { folder });
    expect(code).toBe(2);
    expect(stdout).toMatch(/^ {2}tables\.members +\{ table: members \}/m);
    expect(stdout).toContain('Who may see which conversation?');
    expect(stdout).toContain('bakery.sqlite#/messages/m-02');
    expect(stdout).toContain('author        Ben Osei (u-ben)');
    // Tables that do not belong to the chat, and other columns, are not shown.
    expect(stdout).not.toContain('not-read');
  });

  it('is imported and verified by two commands, once the questions are answered', async () => {
    const folder = bakery();
    expect((await run(['init', 'bakery.sqlite', '--yes'], { folder })).code).toBe(2);
    expect((await run(['init', 'bakery.sqlite', '--yes', ...answers], { folder })).code).toBe(0);
    await confirmReading(folder);
    const { json, code } = await runJson(['import', '--yes'], { folder });
    expect({ code, totals: json }).toMatchObject({ code: 0, totals: { read: 9, skipped: 1, imported: 8 } });
    expect(json.verify).toMatchObject({ same: 8, missing: 0, different: 0 });
    expect(readFileSync(join(folder, 'chatferry.yaml'), 'utf8')).toContain('export: bakery.sqlite');

    const again = await run(['plan'], { folder });
    expect(again.stderr).toContain('nothing changed since the last plan');
  });

  it('may be compressed, next to other files', async () => {
    const folder = home.make();
    mkdirSync(join(folder, 'backup'));
    writeFileSync(
      join(folder, 'backup/bakery.sqlite.gz'),
      gzipSync(readFileSync(join(sample!.folder, 'export.sqlite'))),
    );
    writeFileSync(join(folder, 'backup/note.txt'), 'of Monday');
    expect((await run(['init', 'backup', '--yes', ...answers], { folder })).code).toBe(0);
    await confirmReading(folder);
    const { json, code } = await runJson(['import', '--yes'], { folder });
    expect({ code, ...json }).toMatchObject({ code: 0, read: 9, skipped: 1, imported: 8 });
  });

  it('is read again where an application has written to it', async () => {
    const folder = bakery();
    await run(['init', 'bakery.sqlite', '--yes', ...answers], { folder });
    await confirmReading(folder);
    await run(['import', '--yes'], { folder });
    const application = new Database(join(folder, 'bakery.sqlite'));
    application.exec(
      `INSERT INTO messages VALUES ('m-10', 'k-night', 'u-ben', 'Oven is hot', NULL, NULL, '2026-02-12T03:00:00Z')`,
    );
    application.close();
    const { json } = await runJson(['import', '--yes'], { folder });
    expect(json).toMatchObject({ read: 10, imported: 9 });
  });

  it('with a table that the mapping names and that is gone stops, with the tables that are there', async () => {
    const folder = bakery();
    await run(['init', 'bakery.sqlite', '--yes', ...answers], { folder });
    await confirmReading(folder);
    const application = new Database(join(folder, 'bakery.sqlite'));
    application.exec('ALTER TABLE reactions RENAME TO message_reactions');
    application.close();
    const { code, stderr } = await run(['plan'], { folder });
    expect(code).toBe(4);
    expect(stderr).toContain('Cannot find the table "reactions"');
    expect(stderr).toContain('message_reactions');
  });

  it('loses no other column if one is removed', async () => {
    const folder = bakery();
    await run(['init', 'bakery.sqlite', '--yes', ...answers], { folder });
    await confirmReading(folder);
    const application = new Database(join(folder, 'bakery.sqlite'));
    application.exec('ALTER TABLE users DROP COLUMN email');
    application.close();
    const stopped = await run(['plan'], { folder });
    expect(stopped).toMatchObject({ code: 2, stdout: expect.stringContaining('The column "users.email" is gone.') });
    await confirmReading(folder);
    const { json, code } = await runJson(['plan'], { folder });
    expect(code).toBe(0);
    expect(json).toMatchObject({ read: 9, planned: 8 });
    expect((await run(['report', '--format', 'json'], { folder })).code).toBe(0);
    const report = JSON.parse(readFileSync(join(folder, 'chatferry.report/report.json'), 'utf8')) as {
      readonly problems: readonly { readonly code: string }[];
    };
    expect(report.problems.map(({ code: problem }) => problem)).toContain('missing-column');
  });

  it.each([
    ['ALTER TABLE messages RENAME COLUMN body TO words', 'The mapping names the column "body", which does not exist'],
    ['DELETE FROM messages', 'no message was read, and 8 messages of it arrived before'],
  ])('after "%s" stops a later run: nothing counts as deleted', async (sql, words) => {
    const folder = bakery();
    await run(['init', 'bakery.sqlite', '--yes', ...answers], { folder });
    await confirmReading(folder);
    await run(['import', '--yes'], { folder });
    const application = new Database(join(folder, 'bakery.sqlite'));
    application.exec(`PRAGMA foreign_keys = OFF; ${sql}`);
    application.close();
    const { code, stderr } = await run(['import', '--yes'], { folder });
    expect({ code, stderr }).toMatchObject({ code: 4, stderr: expect.stringContaining(words) });
    expect((await run(['verify'], { folder })).code).toBe(0);
  });

  it('sends no drafts if it allows them, even if no row is one yet', async () => {
    const folder = home.make();
    const row = (id: number) => `${id}\t${1 + (id % 2)}\t1\tMessage number ${id}\tsent\t2026-02-01 10:00:0${id}+00\n`;
    writeFileSync(
      join(folder, 'app.sql'),
      `--\n-- PostgreSQL database dump\n--\n
CREATE TYPE public.message_status AS ENUM ('sent', 'draft');
CREATE TABLE public.users (id integer NOT NULL, name text);
CREATE TABLE public.rooms (id integer NOT NULL, title text);
CREATE TABLE public.messages (id integer NOT NULL, user_id integer, room_id integer, body text, status public.message_status, created_at timestamp with time zone);
COPY public.users (id, name) FROM stdin;\n1\tAnn\n2\tBo\n\\.\n
COPY public.rooms (id, title) FROM stdin;\n1\tTeam\n\\.\n
COPY public.messages (id, user_id, room_id, body, status, created_at) FROM stdin;\n${[1, 2, 3, 4].map(row).join('')}\\.\n
--\n-- PostgreSQL database dump complete\n--\n`,
    );
    await run(['init', 'app.sql', '--yes'], { folder });
    const mapping = parse(readFileSync(join(folder, 'chatferry.mapping.yaml'), 'utf8')) as {
      readonly source: { readonly messages: { readonly only?: unknown } };
    };
    expect(mapping.source.messages.only).toEqual({ status: ['sent', ''] });
  });
});
