import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import Database from 'better-sqlite3';
import { parseSync, type TemplateLiteral, Visitor } from 'oxc-parser';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ChatRecord, MessageRecord } from '../../src/model/records.ts';
import { run, serveSandbox, testKey } from '../cli/in-process.ts';
import { sceneRecords } from '../scenes/actions-scene.ts';
import { type Statement, watchStatements } from '../scenes/statements.ts';
import { temporaryFolder } from '../scenes/temporary-folder.ts';
import { channel, says, writeRecords } from '../scenes/write-records.ts';
import { askFor } from './asked-statements.ts';
import { carriedOutOften, neverSeen, passesAgain, passesOnce } from './whole-passes.ts';

/**
 * SQLite's plan for every statement of the store, recorded while commands run as users run them: over two destinations,
 * after an undo, with drift, actions, split texts, repairs. A statement that reads a whole table, or all rows of a
 * destination, may do so once for a command; `whole-passes.ts` gives the reason for each.
 */

const home = temporaryFolder();
const env = { CHATFERRY_API_KEY: testKey };
const checkpoint = fileURLToPath(new URL('../../src/store/', import.meta.url));
const messageCount = 100_000;

let folder: string;
let statements: readonly (Statement & { readonly most: number })[];
const watched = watchStatements();
afterAll(watched.stop);

const rooms = ['one', 'two', 'three', 'four'];
const spoken = rooms.flatMap((id, room) =>
  [1, 2, 3, 4, 5].map((number) => says(100 + room * 10 + number, id, number % 2 ? 'ann' : 'bob', `${number} in ${id}`)),
);
const records: readonly ChatRecord[] = [
  ...sceneRecords,
  ...rooms.map((id) => channel(id, { members: ['ann', 'bob'] })),
  ...spoken,
  says(201, 'one', 'ann', 'word '.repeat(400)),
  says(203, 'pair', 'cleo', 'a third'),
  says(204, 'two', 'ann', ''),
  says(205, 'two', 'ann', 'files', { attachments: [{ name: 'a.txt', url: 'a.txt' }] }),
];
const isMessage = (record: ChatRecord): record is MessageRecord => record.kind === 'message';

/** Two messages are gone from the source, two say something else, one is new. */
const changed = [
  ...records
    .filter((record) => !(isMessage(record) && ['m105', 'm103'].includes(record.origin.id)))
    .map((record) =>
      isMessage(record) && ['m101', 'm111'].includes(record.origin.id) ? { ...record, text: 'edited' } : record,
    ),
  says(300, 'three', 'bob', 'new'),
];

const actions = ['--actions', 'friends,reactions,blocks,deactivations'];

beforeAll(async () => {
  folder = home.make();
  const path = join(folder, 'export');
  mkdirSync(path);
  const written = writeRecords(join(path, 'export.ndjson'), records);
  writeFileSync(join(path, 'a.txt'), 'a file');
  writeFileSync(join(folder, 'mapping.yaml'), 'messages:\n  overlong: split\n  textCharsMax: 500\n');
  const go = async (...args: string[]) => {
    const { code, stderr } = await run(args, { folder, env });
    watched.endCommand();
    if (![0, 3, 6].includes(code!)) throw new Error(`${args.join(' ')} ended with ${code}: ${stderr}`);
  };
  const all = [path, '--mapping', 'mapping.yaml', ...actions];
  const copying = ['--media-to', './media', '--media-base-url', 'https://files.example/'];
  await go('plan', ...all, ...copying);
  await go('media', 'copy', ...copying);
  await go('import', ...all, '--track-users');
  await go('media', 'verify');
  await go('import', ...all, '--store', 'first.db');
  const hosted = ['--store', 'hosted.db', '--rehearse-for', 'hosted', '--yes'];
  await go('import', ...all, ...hosted, '--retention-days', 'unlimited');
  await go('undo', ...hosted);
  await go('import', ...all, ...hosted, '--retention-days', 'unlimited');
  await go('explain', 'm205');
  await go('verify');
  await go('verify', '--sample', '5');
  await go('verify', '--only', 'in:one');
  await go('export-failed', path, '--out', 'failed.ndjson');
  await go('undo', '--yes');
  await go('import', ...all, '--no-verify');
  await go('status');
  await go('undo', '--yes', '--only', 'in:one');
  await go('import', ...all);
  const there = ['--to', (await serveSandbox(folder)).url, '--yes'];
  await go('import', ...all, ...there, '--only', 'in:two');
  await go('import', ...all, ...there);
  writeRecords(written, changed);
  await go('plan', ...all, '--drift', 'send');
  await go('import', ...all, '--drift', 'send', '--out-of-order', 'reject');
  await go('import', ...all, ...there, '--drift', 'send');
  await go('retry', '--yes', '--to', 'sandbox');
  loseOne();
  await go('verify', '--to', 'sandbox');
  await go('verify', '--repair', '--yes', '--to', 'sandbox');
  await go('reconcile', path, '--mapping', 'mapping.yaml', '--to', 'sandbox', '--new-muids');
  writeRecords(
    written,
    [...records, says(400, 'four', 'ann', 'later', { sentAtMs: spoken.at(-1)!.sentAtMs + 1e9 })].slice(-12),
  );
  await go('plan', ...all, '--export-scope', 'window');
  await go('media', 'undo', '--yes');
  await go('doctor', path);
  await go('purge', '--yes', '--to', 'sandbox');
  await go('status');
  await go('report');
  await go('explain', 'm101');
  await go('explain', 'm201');
  askFor(join(folder, 'chatferry.db'));
  statements = watched.statements();
});

/** The sandbox loses a message. */
function loseOne(): void {
  const db = new Database(join(folder, 'chatferry.sandbox.db'));
  db.exec('DELETE FROM message WHERE id = (SELECT max(id) FROM message)');
  db.close();
}

const called = ({ file, sql }: Statement) => `${file}: ${sql}`;

describe('a statement of the store', () => {
  it('is among the inspected ones, wherever one is prepared', () => {
    const unseen = prepared().filter(
      ({ file, pieces }) => !statements.some((seen) => seen.file === file && holds(seen.sql, pieces)),
    );
    const names = (all: readonly Prepared[]) =>
      all.map(({ file, pieces }) => `${file}: ${pieces.join('…')}`.slice(0, 100));
    expect(names(unseen).filter((name) => !neverSeen.includes(name))).toEqual([]);
    expect(neverSeen.filter((name) => !names(prepared()).includes(name))).toEqual([]);
  });

  it('goes through all of a table where that is known, once for a command', () => {
    const found = Map.groupBy(
      statements.filter(({ passes }) => passes.length > 0),
      ({ file }) => file,
    );
    const known = Object.entries(passesOnce).map(([file, [count]]) => [file, count]);
    const counts = [...found].map(([file, { length }]) => [file, passesOnce[file]?.[0] === 'any' ? 'any' : length]);
    expect(Object.fromEntries(counts)).toEqual(Object.fromEntries(known));
    const often = statements.filter(({ passes, most }) => passes.length > 0 && most > 3);
    expect(often.map(called)).toEqual(carriedOutOften.map(([start]) => expect.stringContaining(start)));
  });

  it('goes through nothing again and again, for each row of something else', () => {
    const again = statements.filter(({ passes }) => passes.some(({ isRepeated }) => isRepeated));
    expect(again.map(called).sort()).toEqual(passesAgain.map(([start]) => expect.stringContaining(start)));
  });

  it(`runs in the same way over ${messageCount.toLocaleString('en-US')} messages: nothing gathers statistics`, () => {
    const db = new Database(join(folder, 'chatferry.db'));
    const before = plansOf(db);
    fill(db);
    expect(plansOf(db)).toEqual(before);
    expect(db.prepare(`SELECT name FROM sqlite_schema WHERE name LIKE 'sqlite_stat%'`).all()).toEqual([]);
    db.close();
  });
});

/** Returns the plans of statements without a temporary table, in the order in which they were first seen. */
function plansOf(db: Database.Database): unknown[] {
  return statements.flatMap(({ sql }) => {
    try {
      const values = /[@:][a-z]/i.test(sql)
        ? [Object.fromEntries([...sql.matchAll(/[@:]([a-z]\w*)/gi)].map(([, name]) => [name, 1]))]
        : Array.from(sql.matchAll(/\?/g), () => 1);
      return [db.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(...(values as []))];
    } catch {
      return [];
    }
  });
}

/** Messages in a thousand conversations, at both destinations; half of them were taken back once. */
function fill(db: Database.Database): void {
  db.exec(`
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${messageCount})
    INSERT INTO message (muid, conversation, sender, origin_id, sent_at, sort_key, verdict, file, place, payload)
    SELECT 'm1' || printf('%025d', i), 1000 + i % 1000, 1, i, i, '', 'planned', 1, '', '{}' FROM n;
    INSERT INTO delivery (destination, message, state, batch, server_id, generation, muid)
    SELECT t.id, m.seq, 'imported', 1, m.seq, 1 + m.seq % 2, CASE m.seq % 2 WHEN 1 THEN 'x' || m.muid END
    FROM destination t, message m WHERE m.conversation >= 1000`);
}

interface Prepared {
  readonly file: string;
  /** Text between the parts that are filled in. */
  readonly pieces: readonly string[];
}

/** Every call of `prepare` in the code of the store, and every text for `lateStatements`. */
function prepared(): Prepared[] {
  return globSync('**/*.ts', { cwd: checkpoint, exclude: ['base/statements.ts'] }).flatMap((file) => {
    const found: Prepared[] = [];
    const { program } = parseSync(file, readFileSync(checkpoint + file, 'utf8'));
    const one = (piece: string) => piece.replaceAll(/\s+/g, ' ').trim();
    const piecesOf = ({ quasis }: TemplateLiteral) => quasis.map(({ value }) => one(value.cooked!));
    new Visitor({
      TaggedTemplateExpression({ tag, quasi }) {
        if (tag.type === 'Identifier' && ['sql', 'value', 'tuple'].includes(tag.name))
          found.push({ file, pieces: piecesOf(quasi) });
      },
      CallExpression({ callee, arguments: [text] }) {
        if (callee.type !== 'MemberExpression' || callee.property.type !== 'Identifier') return;
        if (callee.property.name !== 'prepare') return;
        if (text?.type === 'TemplateLiteral') found.push({ file, pieces: piecesOf(text) });
        else if (text?.type === 'Literal') found.push({ file, pieces: [one(String(text.value))] });
        else found.push({ file, pieces: [] });
      },
    }).visit(program);
    return found;
  });
}

function holds(sql: string, pieces: readonly string[]): boolean {
  let at = 0;
  return pieces.every((piece) => {
    const found = sql.indexOf(piece, at);
    at = found + piece.length;
    return found >= 0;
  });
}
