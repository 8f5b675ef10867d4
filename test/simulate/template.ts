import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { databaseOf, openStore } from '../../src/store/open.ts';
import type { Clock } from '../../src/lib/flow/clock.ts';
import { loadMapping } from '../../src/mapping/load.ts';
import { profiles } from '../../src/service/profiles.ts';
import { plan } from '../../src/plan/plan.ts';
import { type PlannedArrival, plannedArrivals } from './directory.ts';
import type { Schedule } from './schedule.ts';
import { silent } from '../../src/lib/flow/progress.ts';
import { type ExpectedMessage, type ExportShape, makeExport } from '../../src/selftest/steps/make-export.ts';

/** An export that was planned, and nothing sent yet. */
export interface Template {
  /** The checkpoint store, as a file's bytes. */
  readonly image: Buffer;
  /** Expected messages, from the generator of the export. */
  readonly expected: readonly ExpectedMessage[];
  /** By id in the export, the muid at the service of each planned message. */
  readonly muids: ReadonlyMap<string, string>;
  /** People, groups and members that come before the messages. */
  readonly arrivals: readonly PlannedArrival[];
}

/** Exports that simulations migrate: few messages, so that a fault soon hits each of them. */
export const shapes = {
  usual: { messages: 40, conversations: 6 },
  'one long conversation': { messages: 50, conversations: 1 },
  'many short conversations': { messages: 45, conversations: 24 },
  'a direct one and a group': { messages: 30, conversations: 2 },
  'a few messages': { messages: 7, conversations: 3 },
} as const satisfies Record<string, ExportShape>;

export type ShapeName = keyof typeof shapes;

const templates = new Map<string, Promise<Template>>();

/** Planned once per process; a simulation begins with a copy. */
export function templateOf(
  { shape, ...people }: Pick<Schedule, 'shape' | 'hasDirectory' | 'hasFormer'>,
  clock: Clock,
): Promise<Template> {
  const key = JSON.stringify([shape, people]);
  const known = templates.get(key);
  if (known) return known;
  const template = planned({ shape, ...people }, clock);
  templates.set(key, template);
  return template;
}

async function planned(
  { shape, hasDirectory, hasFormer }: Pick<Schedule, 'shape' | 'hasDirectory' | 'hasFormer'>,
  clock: Clock,
): Promise<Template> {
  const folder = mkdtempSync(join(tmpdir(), 'chatferry-simulation-'));
  try {
    const file = join(folder, 'export.ndjson');
    const expected = makeExport(file, { ...shapes[shape], hasDirectory }, 1 + Object.keys(shapes).indexOf(shape));
    if (hasFormer) leaveGroups(file);
    const store = openStore(join(folder, 'chatferry.db'), { command: 'plan', nowMs: clock.now() });
    const usual = await loadMapping(undefined);
    const { conversations, people } = usual.rules;
    const owner = hasDirectory ? 'creator' : conversations.owner;
    const mapping = {
      ...usual,
      rules: {
        ...usual.rules,
        conversations: { ...conversations, owner },
        people: { ...people, former: 'join' as const },
      },
    };
    const { signal } = new AbortController();
    const profile = hasDirectory ? profiles.hosted : profiles.spec;
    await plan(store, {
      exports: [file],
      mapping,
      allowMappingChange: false,
      profile,
      clock,
      progress: silent,
      signal,
    });
    // A copy that is opened in memory can have no write-ahead log.
    databaseOf(store).pragma('journal_mode = DELETE');
    const image = databaseOf(store).serialize();
    const select = databaseOf(store).prepare<[], [string, string]>('SELECT origin_id, muid FROM message ORDER BY seq');
    const muids = new Map(select.raw().all());
    const arrivals = plannedArrivals(databaseOf(store));
    store.close();
    return { image, expected, muids, arrivals };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Every second member of each group has left it. */
function leaveGroups(file: string): void {
  const lines = readFileSync(file, 'utf8')
    .split('\n')
    .map((line) => {
      const record = JSON.parse(line || 'null') as { kind: string; type: string; members: string[] } | null;
      if (record?.kind !== 'conversation' || record.type === 'direct') return line;
      return JSON.stringify({ ...record, members: record.members.filter((_, index) => index % 2 === 0) });
    });
  writeFileSync(file, lines.join('\n'));
}
