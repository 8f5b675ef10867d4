import { copyFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { stringify } from 'yaml';
import { planExport } from '../../src/commands/plan.ts';
import type { Progress } from '../../src/lib/flow/progress.ts';
import { systemClock } from '../../src/lib/flow/clock.ts';
import { loadMapping } from '../../src/mapping/load-mapping.ts';
import { parse } from 'yaml';
import type { Sample } from '../contracts/samples.ts';
import { sessionRequest } from './session-request.ts';
import { type StagedContent, stagedContent } from './staged-content.ts';

/** Keys of a mapping whose change is planned again file by file, with all their values. */
const touchingKeys: Readonly<Record<string, readonly unknown[]>> = {
  'people.unknownAuthors': ['placeholder', 'skip', 'reject'],
  'messages.system': ['skip', 'keep'],
  'messages.calls': ['skip', 'keep'],
  'messages.deleted': ['skip', 'keep'],
  'messages.internal': ['skip', 'keep'],
  'messages.edited': ['mark', 'keep', 'skip'],
};

/** One plan: what the store has after it, the totals of its report, and what its progress says of reading. */
export interface PlannedContent {
  readonly content: StagedContent;
  readonly report: unknown;
  readonly note: string | undefined;
}

export interface ChangedRules {
  /** `messages.system: skip to keep`. */
  readonly name: string;
  readonly before: PlannedContent;
  readonly after: PlannedContent;
  /** A plan of the changed mapping into an empty store. */
  readonly fromNothing: PlannedContent;
}

/** Noon of the first of December 2026. */
const nowMs = Date.UTC(2026, 11, 1, 12);

/** An export with the mapping that it needs. */
export interface GivenExport {
  readonly paths: readonly string[];
  readonly source: string;
  /** Text of a mapping; empty if it needs none. */
  readonly mapping: string;
}

/** @param more Rules in addition to those of the sample: key by key. */
export function exportOf({ folder, source }: Sample, more: Readonly<Record<string, unknown>> = {}): GivenExport {
  const names = readdirSync(folder).filter((name) => name.startsWith('export'));
  const path = join(folder, 'mapping.yaml');
  return {
    paths: names.sort().map((name) => join(folder, name)),
    source,
    mapping: Object.entries(more).reduce(
      (text, [key, value]) => withValue(text, key, value),
      existsSync(path) ? readFileSync(path, 'utf8') : '',
    ),
  };
}

/** Plans each change of each key, into a copy of the store of the plan before, and into an empty store. */
export async function* changesOfRules(folder: string, given: GivenExport): AsyncGenerator<ChangedRules> {
  let stores = 0;
  const plan = async (key: string, value: unknown, copyOf?: string) => {
    const store = join(folder, `${++stores}.db`);
    if (copyOf !== undefined) copyFileSync(copyOf, store);
    const text = withValue(given.mapping, key, value);
    const mapping = join(folder, `${stores}.yaml`);
    writeFileSync(mapping, text);
    return { store, planned: await planInto(folder, store, mapping, given) };
  };
  const base = await plan('messages.system', 'skip');
  const keys = { ...touchingKeys, 'conversations.exclude': exclusions(base.store) };
  for (const [key, values] of Object.entries(keys)) {
    const plans: Awaited<ReturnType<typeof plan>>[] = [];
    for (const value of values) plans.push(await plan(key, value));
    for (const [from, before] of plans.entries()) {
      for (const [to, fromNothing] of plans.entries()) {
        if (from === to) continue;
        const { planned: after } = await plan(key, values[to], before.store);
        const name = `${key}: ${JSON.stringify(values[from])} to ${JSON.stringify(values[to])}`;
        yield { name, before: before.planned, after, fromNothing: fromNothing.planned };
      }
    }
  }
}

/** Nothing, two conversations by id, and one by name. */
function exclusions(store: string): readonly (readonly string[])[] {
  const db = new Database(store, { readonly: true });
  const records = db
    .prepare<[], { id: string; name: string }>(
      `SELECT record ->> '$.id' AS id, record ->> '$.name' AS name FROM conversation ORDER BY id`,
    )
    .all();
  db.close();
  const ids = [records[0], records.at(-1)].flatMap((record) => (record ? [[record.id]] : []));
  const name = records.find((record) => record.name !== '')?.name;
  return [[], ...ids.slice(0, records.length), ...(name === undefined ? [] : [[name]])];
}

function withValue(text: string, key: string, value: unknown): string {
  const [section, name] = key.split('.') as [string, string];
  const mapping = (parse(text) ?? {}) as Record<string, Record<string, unknown>>;
  return stringify({ ...mapping, [section]: { ...mapping[section], [name]: value } });
}

export async function planInto(
  folder: string,
  store: string,
  mapping: string,
  { paths, source }: GivenExport,
): Promise<PlannedContent> {
  let note: string | undefined;
  const progress: Progress = {
    stage: (name) => ({
      update() {},
      finish(words) {
        if (name === 'Reading') note = words;
      },
    }),
  };
  const request = await sessionRequest(folder, {
    ...{ store, from: paths, source, progress },
    clock: { ...systemClock, now: () => nowMs },
  });
  const { report } = await planExport({ ...request, mapping: await loadMapping(mapping) });
  const counts = (list: readonly { readonly code?: string; readonly reason?: string; readonly count: number }[]) =>
    list.map(({ code, reason, count }) => `${code ?? reason}: ${count}`).sort();
  const { totals, people, contents, losses } = report;
  const lists = { invalid: counts(report.invalid), skipped: counts(report.skipped), problems: counts(report.problems) };
  return { content: stagedContent(store), report: { totals, people, contents, losses, ...lists }, note };
}
