import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { parseSettings } from '../../src/lib/settings.ts';
import { confirmReading } from '../scenes/confirm-reading.ts';
import { type QuestionIn, questionsIn } from '../scenes/questions-in.ts';
import { temporaryFolder } from '../scenes/temporary-folder.ts';
import { unknownTables } from '../scenes/unknown-tables.ts';
import { run, runJson } from './in-process.ts';
import { everyNth } from '../tier.ts';

const home = temporaryFolder();

/** Answers the questions with the answers of a user who knows the table, until none is open. */
async function answer(folder: string, file: string, answers: Readonly<Record<string, string>>) {
  const sets: string[] = [];
  const asked: QuestionIn[] = [];
  for (let round = 1; round <= 5; round++) {
    const { json, code } = await runJson(['init', file, '--yes', '--force', '--quiet', ...sets], { folder });
    if (json.open.length === 0) return { asked, rounds: round, code, counts: json.counts };
    expect(code).toBe(2);
    for (const question of questionsIn(json)) {
      asked.push(question);
      // There is no question that the owner of the table could not answer.
      expect(Object.keys(answers)).toContain(question.key);
      sets.push('--set', `source.${question.key}=${answers[question.key]}`);
    }
  }
  throw new Error(`Questions never end: ${JSON.stringify(asked)}`);
}

/** Returns the contents of the sandbox, read without Chatferry's code. */
function arrived(folder: string) {
  const db = new Database(join(folder, 'chatferry.sandbox.db'), { readonly: true });
  try {
    return db
      .prepare(
        `SELECT count(*) AS messages, count(DISTINCT sender) AS authors, count(DISTINCT conversation) AS conversations
         FROM message WHERE category <> 'action'`,
      )
      .get();
  } finally {
    db.close();
  }
}

describe('a table that the program has never seen', () => {
  it.each(everyNth(2, unknownTables))('$name is imported right after honest questions', async (table) => {
    const { file, content, answers, messages, authors, conversations } = table;
    const folder = home.make();
    writeFileSync(join(folder, file), content);
    const { asked, code, counts } = await answer(folder, file, answers);
    expect(code).toBe(0);
    expect(asked.map(({ key }) => key).sort()).toEqual(Object.keys(answers).sort());
    expect(counts).toMatchObject({ messages, invalid: 0, conversations });
    // The owner's answer is among the readings, unless it is one name for all rows, which the owner chooses.
    for (const { key, readings } of asked) {
      if (key === 'zone') continue;
      const said = parseSettings([`x=${answers[key]}`]).x;
      const isLast = typeof said === 'object' && said !== null && 'constant' in said;
      if (!isLast) expect(readings.map(({ value }) => value)).toContainEqual(said);
    }
    await confirmReading(folder, file);
    const imported = await runJson(['import', file, '--quiet'], { folder });
    expect(imported.json).toMatchObject({ planned: messages, imported: messages, invalid: 0, pending: 0 });
    expect(arrived(folder)).toEqual({ messages, authors, conversations });
  });

  it.each(unknownTables.filter(({ answers }) => Object.keys(answers).length > 0))(
    '$name is not read with --yes alone, and each question names its option',
    async ({ file, content }) => {
      const folder = home.make();
      writeFileSync(join(folder, file), content);
      const { code, stdout } = await run(['init', file, '--yes'], { folder });
      expect(code).toBe(2);
      expect(stdout).toMatch(/\n +--set '?source\./);
    },
  );

  it('proposes the table of nested rooms, with titles, kinds and participants', async () => {
    const { file, content } = unknownTables.find(({ name }) => name === 'nested rooms')!;
    const folder = home.make();
    writeFileSync(join(folder, file), content);
    await run(['init', file, '--yes', '--quiet'], { folder });
    await confirmReading(folder, file);
    const { json } = await runJson(['import', file, '--quiet'], { folder });
    expect(json).toMatchObject({ imported: 48 });
    const db = new Database(join(folder, 'chatferry.sandbox.db'), { readonly: true });
    try {
      const names = db.prepare(`SELECT entity ->> '$.name' FROM chat_group ORDER BY id`).pluck().all();
      expect(names).toEqual(['Harbour', 'Kitchen', 'Night shift']);
      const direct = `SELECT count(*) FROM message WHERE receiver_type = 'user'`;
      expect(db.prepare(direct).pluck().get()).toBe(12);
    } finally {
      db.close();
    }
  });

  it('keeps the last version of edited rows, and every reaction of a join', async () => {
    const named = (name: string) => unknownTables.find((table) => table.name === name)!;
    const held = async (table: (typeof unknownTables)[number], sql: string) => {
      const folder = home.make();
      writeFileSync(join(folder, table.file), table.content);
      await answer(folder, table.file, table.answers);
      await confirmReading(folder, table.file);
      expect((await run(['import', table.file, '--quiet'], { folder })).code).toBe(0);
      const db = new Database(join(folder, 'chatferry.sandbox.db'), { readonly: true });
      try {
        return db.prepare(sql).pluck().get();
      } finally {
        db.close();
      }
    };
    const typos = `SELECT count(*) FROM message WHERE data LIKE '%tpyo%'`;
    expect(await held(named('edits as rows of one id'), typos)).toBe(0);
    const reactions = `SELECT sum(json_array_length(data -> '$.metadata.chatferry.reactions')) FROM message`;
    expect(await held(named('reactions as rows of one id'), reactions)).toBe(24);
  });
});
