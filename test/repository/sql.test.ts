import { describe, expect, it } from 'vitest';
import { type Module, modules, placeOf } from './modules.ts';

/** Each database is known in one place: the store, the sandbox's data, the state of jobs, what a fleet shares, the journal of a fetch; and how a file is opened and kept from others; the private copy of tables that are joined; the texts of a workbook; what reads databases of others; the people of a plan, to be searched. */
const homes = [
  /^store\//,
  /^sandbox\//,
  /^sync\/(?:state\/|job-(?:runs|state)\.ts$)/,
  /^fleet\//,
  /^fetch\/journal\.ts$/,
  /^sources\/tables\/copy\//,
  /^io\/xlsx\/shared-strings\.ts$/,
  /^sources\/(?:database|imessage|viber)\//,
  /^sources\/xmpp\/rows\/server-database\.ts$/,
  /^sources\/kit\/files\/(?:sqlite-file|app-database)\.ts$/,
  /^desk\/engine\/people-(?:index|lines)\.ts$/,
  /^lib\/(?:sqlite|migrations|file-lock)\.ts$/,
];

/** Writes queries that a mapping may have, and runs none. */
const proposing = /^sources\/tables\/propose\//;

/** A statement that is prepared or executed. */
const run = /\.prepare\s*(?:<|\()|\.(?:exec|pragma)\(\s*['"`]/;

/** The words of one in a literal. */
const words =
  /['"`\s](?:SELECT [\w*(]|INSERT (?:OR \w+ )?INTO |DELETE FROM |UPDATE \w+ SET |CREATE (?:TEMP )?(?:TABLE|INDEX) )/;

function* statementsIn(module: Module): Generator<string> {
  let start = 0;
  for (const line of module.code.split('\n')) {
    const isSql = run.test(line) || (words.test(line) && !proposing.test(module.path));
    if (isSql && !/^\s*(?:\/\/|\*|\/\*)/.test(line)) yield `${placeOf(module, start)}: ${line.trim()}`;
    start += line.length + 1;
  }
}

describe('SQL', () => {
  it('appears only in modules that use a database', () => {
    const away = modules.filter(({ path }) => !homes.some((home) => home.test(path)));
    expect(away.flatMap((module) => [...statementsIn(module)])).toEqual([]);
  });

  it.each([
    ["const select = db.prepare('SELECT 1');"],
    ['const select = db.prepare<[], number>('],
    ["db.exec('BEGIN IMMEDIATE');"],
    ["db.pragma('synchronous = FULL');"],
    ['const rows = `SELECT seq FROM message`;'],
    ['  `INSERT OR IGNORE INTO person VALUES (?)`,'],
  ])('is found in %s', (code) => {
    expect([...statementsIn({ path: 'plan/plan.ts', code })]).toEqual([`src/plan/plan.ts:1: ${code.trim()}`]);
  });

  it('may be written where it is proposed, but not run', () => {
    const found = (code: string) => [...statementsIn({ path: 'sources/tables/propose/tables/tables.ts', code })];
    expect(found('const query = `SELECT id FROM messages`;')).toEqual([]);
    expect(found("const select = db.prepare('SELECT 1');")).toHaveLength(1);
  });

  it.each([
    ['const found = /SELECT/.exec(text)?.[0];'],
    ['// SELECT seq FROM message'],
    ['const hint = "Select an export, and update it";'],
    ['const matched = pattern.exec(line);'],
  ])('is not found in %s', (code) => {
    expect([...statementsIn({ path: 'plan/plan.ts', code })]).toEqual([]);
  });
});
