import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { Settings } from '../../../src/lib/settings.ts';
import { sourceNamed } from '../../../src/plan/choose-source.ts';
import { sharedFolder } from '../../requirements.ts';
import { temporaryFolder } from '../../scenes/temporary-folder.ts';
import { described, importWith } from '../../sources/tables/schemas/import-with.ts';
import { answering } from '../../sources/tables/schemas/readings.ts';
import {
  csvSchema,
  databaseAnswers,
  type Schema,
  schemaNames,
  shortOf,
} from '../../sources/tables/schemas/schema-set.ts';
import { isNightly } from '../../tier.ts';
import { programs as postgresPrograms, testPostgres } from '../../fleet/postgres.ts';
import { programs as mariadbPrograms, testMariadb } from './mariadb.ts';
import { testDatabase } from './postgres-databases.ts';

const database = sourceNamed('database');

const set = sharedFolder('schemas');
const home = temporaryFolder();
const password = process.env.PGPASSWORD;
afterAll(() => {
  if (password === undefined) delete process.env.PGPASSWORD;
  else process.env.PGPASSWORD = password;
});

/** A form in which a database of the set is read, and how it is made from this file. */
interface Form {
  readonly file: string;
  /** Whether flags are 1 and 0, rather than t and f. */
  readonly hasNumbers: boolean;
  /** Returns the argument for the program. */
  place(path: string): Promise<string>;
  readonly isMissing?: boolean;
}

const itself = async (path: string) => path;

const forms: readonly Form[] = [
  { file: 'app.sqlite', hasNumbers: true, place: itself },
  {
    file: 'postgres.sql',
    hasNumbers: false,
    isMissing: postgresPrograms === null,
    async place(path) {
      const { shown } = await testDatabase(readFileSync(path, 'utf8'));
      const url = new URL((await testPostgres()).reveal());
      process.env.PGPASSWORD = url.password;
      return shown.replace('postgres://', `postgres://${url.username}@`);
    },
  },
  { file: 'mysqldump.sql', hasNumbers: true, place: itself },
  { file: 'pg_dump.sql', hasNumbers: false, place: itself },
  {
    file: 'mysql.sql',
    hasNumbers: true,
    isMissing: mariadbPrograms === null,
    async place(path) {
      const { server, name } = await testMariadb(readFileSync(path, 'utf8'));
      return `mysql://root@localhost/${name}?socket=${server.socket}`;
    },
  },
  { file: 'sqlite_dump.sql', hasNumbers: true, place: itself },
  { file: 'pg_dump_inserts.sql', hasNumbers: false, place: itself },
];

/** In one form each, so that all forms have their turn; in the nightly run in all. */
function formsOf(name: string, index: number): readonly Form[] {
  const there = forms.filter(({ file }) => existsSync(join(set!, name, file)));
  return isNightly ? there : [there[index % there.length]!];
}

describe.skipIf(set === null)('a database of a chat, with all answers', () => {
  if (set === null) return;
  for (const [index, name] of schemaNames(set).entries()) {
    for (const form of formsOf(name, index)) {
      it.skipIf(form.isMissing)(`${name}, ${form.file}: everything arrives, and nothing else`, async () => {
        const base = csvSchema(set, name);
        const given = databaseAnswers(name, form.hasNumbers) as { readonly source: object };
        // Its CSV has a zone in its times; SQLite keeps them without.
        const isWithoutZone = name === 'pair-conversations' && form.hasNumbers;
        const answers = (isWithoutZone
          ? { ...given, source: { ...given.source, zone: 'UTC' } }
          : given) as unknown as Schema['answers'];
        const schema = { ...base, adapter: database, answers, folder: await form.place(join(set, name, form.file)) };
        const { questions, exit, found } = await importWith(home.make(), schema, answers as Settings);
        expect({ questions, exit }).toEqual({ questions: [], exit: 0 });
        const known = shortOf[name] ?? {};
        expect(found.filter(({ id, field }) => !(`${id} ${field}` in known)).map(described)).toEqual([]);
      });

      it.skipIf(form.isMissing || !isNightly)(
        `${name}, ${form.file}: asked alone, nothing is sent that is withheld`,
        async () => {
          const base = csvSchema(set, name);
          const answers = databaseAnswers(name, form.hasNumbers);
          const schema = { ...base, adapter: database, answers, folder: await form.place(join(set, name, form.file)) };
          const { source: _, ...rest } = answers;
          const { found } = await importWith(home.make(), schema, rest, { decide: answering(schema) });
          expect(found.filter(({ field }) => ['unexpected', 'author', 'conversation'].includes(field))).toEqual([]);
        },
      );
    }
  }
});
