import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { run } from '../cli/in-process.ts';
import { sharedFolder } from '../requirements.ts';
import { temporaryFolder } from '../scenes/temporary-folder.ts';
import { shortOf } from '../sources/tables/schemas/schema-set.ts';
import { everyNth, isNightly } from '../tier.ts';
import { type SchemaDatabase, schemaDatabases } from './databases.ts';
import type { Decision } from '../../src/decisions/decision.ts';
import { type Asked, answer, firstOffered } from './owner.ts';
import { differsIn, shownBy } from './picture.ts';
import { type Fault, type FaultKind, faultsIn } from './staged.ts';

const set = sharedFolder('schemas');
const home = temporaryFolder();

/** Questions that an owner has the patience for. */
const questionsMax = 25;

/** Where a question would have been, where the picture shows it, and which alarms are about it. */
interface Place {
  readonly asked: RegExp;
  readonly shown: readonly string[];
  readonly alarms: readonly string[];
}

const places: Readonly<Record<FaultKind, Place>> = {
  sent: {
    asked: /^(messages\.(only|kind|repeated|skipWhen|internal|deleted|encrypted)|tables\.messages)/,
    shown: ['Messages'],
    alarms: ['cipher', 'copies', 'split', 'rival'],
  },
  missing: {
    asked: /^(messages\.(only|kind|skipWhen|conversation)|tables\.(messages|ignored))/,
    shown: ['Messages', 'Not read'],
    alarms: ['rival'],
  },
  author: {
    asked: /^(messages\.author|tables\.users)/,
    shown: ['Written by', 'Written by: names'],
    alarms: ['nobody', 'two-in-one', 'one-voice', 'monologues', 'split'],
  },
  name: {
    asked: /^(messages\.author|tables\.users|users)/,
    shown: ['Written by: names', 'Names'],
    alarms: ['nobody', 'two-in-one', 'numbers-for-names'],
  },
  conversation: {
    asked: /^messages\.conversation/,
    shown: ['In', 'In: names'],
    alarms: ['one-room', 'crumbs', 'monologues', 'copies', 'rival', 'split'],
  },
  exposed: { asked: /^conversations\.type/, shown: ['Seen by'], alarms: [] },
  members: { asked: /^(tables\.)?members|^conversations\.members/, shown: ['Members'], alarms: [] },
  time: { asked: /^(zone|messages\.time)/, shown: ['Times'], alarms: ['clock'] },
  text: { asked: /^messages\.text/, shown: ['Texts'], alarms: ['cipher'] },
};

/** `init --yes`, and again with each answer, until nothing is open. */
async function ask({ path, right }: SchemaDatabase, folder: string): Promise<readonly Asked[]> {
  const asked: Asked[] = [];
  const { source: _, ...rest } = right.mapping;
  const others = Object.entries(rest).map(([section, value]) => `${section}=${JSON.stringify(value)}`);
  while (asked.length < questionsMax) {
    const answers = asked.flatMap(({ id, answer }) => (answer ? [`${id}=${answer.value}`] : []));
    const sets = [...others, ...answers].flatMap((text) => ['--set', text]);
    const { stdout, stderr } = await run(['init', path, '--yes', '--force', '--json', ...sets], { folder });
    const line = stdout.trimEnd().split('\n').at(-1)!;
    const last = asked.at(-1);
    if (!line.startsWith('{')) {
      // No table has the column that was typed: the owner takes what is offered.
      if (last?.answer?.how !== 'typed') throw new Error(stderr);
      asked[asked.length - 1] = { ...last, answer: firstOffered(last) };
      continue;
    }
    const { open } = JSON.parse(line) as { open: readonly Decision[] };
    const next = open.find(({ id }) => !asked.some((one) => one.id === id));
    if (!next) return asked;
    asked.push({ ...next, answer: answer(next, right) });
  }
  throw new Error(`More than ${questionsMax} questions`);
}

/** @returns The store. */
async function plan({ path }: SchemaDatabase, folder: string, mapping: string): Promise<string> {
  const store = join(folder, `${mapping}.db`);
  const files = ['--mapping', join(folder, `${mapping}.yaml`), '--store', store, '--report', join(folder, mapping)];
  await run(['plan', path, ...files], { folder });
  return store;
}

/** Kinds of faults that nobody was asked about: a question whose options were all wrong is one that the owner has seen. */
function unasked(faults: readonly Fault[], asked: readonly Asked[]): readonly FaultKind[] {
  const open = asked.filter(({ answer }) => answer === null || answer.how === 'none is right');
  const kinds = [...new Set(faults.map(({ kind }) => kind))];
  return kinds.filter((kind) => !open.some(({ id }) => places[kind].asked.test(id.replace(/^source\./, ''))));
}

const table: Record<string, unknown>[] = [];
afterAll(() => {
  const path = process.env.CHATFERRY_SCHEMAS_TABLE;
  if (path) writeFileSync(path, JSON.stringify(table, null, 1));
  if (isNightly) console.table(table.map(({ asked: _, faults: __, ...line }) => line));
});

describe.skipIf(set === null)('a database of an application, with the answers of its owner', () => {
  const databases = set === null ? [] : schemaDatabases(set, home.make());
  it.each(everyNth(4, databases))(
    '$name: whatever is read wrongly is asked about, or its picture shows it',
    async (database) => {
      const { name } = database;
      const folder = home.make();
      writeFileSync(join(folder, 'right.yaml'), stringify({ version: 1, ...database.right.mapping }));
      const right = await plan(database, folder, 'right');
      const short = Object.keys(shortOf[name] ?? {});
      const rightFaults = faultsIn(right, database).filter(
        ({ kind, what }) => !short.includes(`conversation ${what.split(':')[0]} ${kind}`),
      );
      expect(rightFaults, 'the mapping of right/').toEqual([]);
      expect(shownBy(right).alarms, 'alarms of a right reading').toEqual([]);

      const asked = await ask(database, folder);
      const own = await plan(database, folder, 'chatferry.mapping');
      const faults = faultsIn(own, database);
      const [picture, meant] = [shownBy(own), shownBy(right)];
      const differs = (line: string) => differsIn(line, picture, meant);
      const unaskedKinds = unasked(faults, asked);
      const isSeen = (kind: FaultKind) =>
        places[kind].alarms.some((alarm) => picture.alarms.includes(alarm)) || places[kind].shown.some(differs);
      const unseen = unaskedKinds.filter((kind) => !isSeen(kind));
      const kinds = Object.keys(places).filter((kind) => faults.some((fault) => fault.kind === kind));
      table.push({
        name,
        questions: asked.length,
        alarms: picture.alarms.join(),
        wrong: kinds.map((kind) => `${kind} ${faults.filter((fault) => fault.kind === kind).length}`).join(),
        unasked: unaskedKinds.join(),
        unseen: unseen.join(),
        rightAlarms: meant.alarms.join(),
        shown: unaskedKinds.map((kind) => `${kind}: ${places[kind].shown.filter(differs).join(', ')}`),
        asked: asked.map(({ id, question, answer, options }) => ({
          id,
          question,
          answer,
          options: options.map(({ does }) => does),
        })),
        picture: picture.lines,
        meant: meant.lines,
        faults: faults.map(({ kind, what }) => `${kind} ${what}`),
      });
      expect(unseen).toEqual([]);
      expect(kinds).toEqual([]);
    },
  );
});
