import { join } from 'node:path';
import Database from 'better-sqlite3';
import { fastClock } from './fast-clock.ts';
import { servedFaulty } from './served-sandbox.ts';
import { apiKey } from './bench.ts';
import { run, runJson } from '../cli/in-process.ts';
import { seededRandom } from '../../src/lib/flow/seeded-random.ts';
import type { ArrivedMessage } from '../../src/sandbox/book.ts';
import { compare } from '../../src/selftest/steps/compare.ts';
import { type ExportShape, makeExport } from '../../src/selftest/steps/make-export.ts';

export interface Poison {
  /** Share of messages that no request can carry. */
  readonly share: number;
  readonly status: 400 | 500;
  /** State of the other messages in a request with one of them. */
  readonly others: 'stored' | 'not stored';
}

/**
 * An import, as a user runs it, into a service that cannot bear some of the messages; what stays unanswered is then given up. And what became
 * of each message.
 */
export async function importWithPoison(folder: string, shape: ExportShape, poison: Poison) {
  const { share, status, others } = poison;
  const served = await servedFaulty(folder);
  const file = join(folder, 'export.ndjson');
  const expected = makeExport(file, shape, 7);
  const where = { folder, env: { CHATFERRY_API_KEY: apiKey }, clock: fastClock() };
  const to = ['--to', served.url, '--store', 'here.db'];
  await run(['plan', file, ...to], where);
  const muids = muidsOf(join(folder, 'here.db'));
  const random = seededRandom(11);
  const poisoned = new Map([...muids].filter(() => random() < share));
  served.sandbox.plan = {
    rules: [
      {
        ...{ answer: 'error', status, code: status === 500 ? 'ERR_EXCEPTION' : 'ERR_BAD_REQUEST' },
        muids: [...poisoned.values()],
        applied: others === 'stored' ? 'others' : 'nothing',
      },
    ],
  };
  const flags = ['--yes', '--max-failures', '100%'];
  const first = await runJson(['import', file, ...to, ...flags], where);
  const isOver = first.code !== 5;
  const { code, json } = isOver ? first : await runJson(['retry', '--one-by-one', ...to, ...flags], where);
  const late = namesOf(join(folder, 'here.db'), `is_late = 1 AND d.state = 'imported'`);
  const { lost, duplicated, outOfOrder } = compare(expected, arrivedAt(served.data), new Set(late));
  const refused = namesOf(join(folder, 'here.db'), `state = 'failed'`);
  const blamedWrongly = refused.filter((id) => !poisoned.has(id)).length;
  return {
    code,
    json,
    first: first.json,
    lost,
    duplicated,
    outOfOrder,
    late: late.length,
    blamedWrongly,
    poisoned: poisoned.size,
  };
}

function reading<T>(path: string, sql: string): T[] {
  const db = new Database(path, { readonly: true });
  const rows = db.prepare<[], T>(sql).all();
  db.close();
  return rows;
}

const muidsOf = (store: string) =>
  new Map(
    reading<{ id: string; muid: string }>(
      store,
      `SELECT origin_id AS id, muid FROM message WHERE verdict = 'planned' ORDER BY seq`,
    ).map(({ id, muid }) => [id, muid]),
  );

const namesOf = (store: string, where: string) =>
  reading<{ id: string }>(
    store,
    `SELECT m.origin_id AS id FROM delivery d JOIN message m ON m.seq = d.message WHERE d.${where}`,
  ).map(({ id }) => id);

const arrivedAt = (data: string) =>
  reading<ArrivedMessage>(
    data,
    `SELECT c.name AS conversation, m.sender, m.sent_at AS sentAtSeconds, m.data ->> '$.text' AS text
     FROM message m JOIN conversation c ON c.id = m.conversation ORDER BY m.id`,
  );
