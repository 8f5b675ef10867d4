import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseSettings } from '../../src/commands/init/settings.ts';
import { temporaryFolder } from '../scenes/temporary-folder.ts';
import { unknownTables } from '../scenes/unknown-tables.ts';
import { run, runJson } from './in-process.ts';

const home = temporaryFolder();

interface Question {
  readonly key: string;
  readonly readings: readonly { readonly value: unknown }[];
}

/** What is asked for, and answered by somebody who knows the table, until nothing is open. */
async function answer(folder: string, file: string, answers: Readonly<Record<string, string>>) {
  const sets: string[] = [];
  const asked: Question[] = [];
  for (let round = 1; round <= 5; round++) {
    const { json, code } = await runJson(['init', file, '--yes', '--force', '--quiet', ...sets], { folder });
    if (json.open.length === 0) return { asked, rounds: round, code, counts: json.counts };
    expect(code).toBe(2);
    for (const question of json.open as Question[]) {
      asked.push(question);
      // Nobody is asked for what the owner of the table could not tell.
      expect(Object.keys(answers)).toContain(question.key);
      sets.push('--set', `source.${question.key}=${answers[question.key]}`);
    }
  }
  throw new Error(`Questions never end: ${JSON.stringify(asked)}`);
}

describe('a table that the program has never seen', () => {
  it.each(unknownTables)('$name is imported right after honest questions', async (table) => {
    const { file, content, answers, messages, authors, conversations } = table;
    const folder = home.make();
    writeFileSync(join(folder, file), content);
    const { asked, code, counts } = await answer(folder, file, answers);
    expect(code).toBe(0);
    expect(asked.map(({ key }) => key).sort()).toEqual(Object.keys(answers).sort());
    expect(counts).toMatchObject({ messages, rejected: 0, conversations });
    // What the owner says is among the readings, where it is a column.
    for (const { key, readings } of asked) {
      const said = parseSettings([`x=${answers[key]}`]).x;
      if (typeof said === 'string' && key !== 'zone') expect(readings.map(({ value }) => value)).toContain(said);
    }
    const imported = await runJson(['import', file, '--quiet'], { folder });
    expect(imported.json).toMatchObject({ planned: messages, imported: messages, rejected: 0, pending: 0 });
    const { json } = await runJson(['report'], { folder });
    expect(json.people?.authors ?? authors).toBe(authors);
  });

  it.each(unknownTables.filter(({ answers }) => Object.keys(answers).length > 0))(
    '$name is not read with --yes alone, and each question names its option',
    async ({ file, content }) => {
      const folder = home.make();
      writeFileSync(join(folder, file), content);
      const { code, stdout } = await run(['init', file, '--yes'], { folder });
      expect(code).toBe(2);
      expect(stdout).toMatch(/\n {2}--set '?source\./);
    },
  );
});
