import { describe, expect, it } from 'vitest';
import { type Module, modules, placeOf } from './modules.ts';

/** Each database is known in one place: the checkpoint store, the sandbox's data, the state of jobs, what a fleet shares; and how a file is opened and kept from others. */
const homes = [
  /^checkpoint\//,
  /^sandbox\//,
  /^jobs\/(?:fleet|sync\/state)\//,
  /^jobs\/(?:change-units|fleet-database|fleet-overview|job-runs|job-state|open-unit|submit|worker)\.ts$/,
  /^lib\/(?:sqlite|migrations|file-lock)\.ts$/,
];

/** A statement that is prepared or executed, or the words of one in a literal. */
const sql =
  /\.prepare\s*(?:<|\()|\.(?:exec|pragma)\(\s*['"`]|['"`\s](?:SELECT [\w*(]|INSERT (?:OR \w+ )?INTO |DELETE FROM |UPDATE \w+ SET |CREATE (?:TEMP )?(?:TABLE|INDEX) )/;

function* statementsIn(module: Module): Generator<string> {
  let start = 0;
  for (const line of module.code.split('\n')) {
    if (sql.test(line) && !/^\s*(?:\/\/|\*|\/\*)/.test(line)) yield `${placeOf(module, start)}: ${line.trim()}`;
    start += line.length + 1;
  }
}

describe('SQL', () => {
  it('stands where a database is at home', () => {
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

  it.each([
    ['const found = /SELECT/.exec(text)?.[0];'],
    ['// SELECT seq FROM message'],
    ['const hint = "Select an export, and update it";'],
    ['const matched = pattern.exec(line);'],
  ])('is not found in %s', (code) => {
    expect([...statementsIn({ path: 'plan/plan.ts', code })]).toEqual([]);
  });
});
