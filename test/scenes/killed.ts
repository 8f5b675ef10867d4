import { copyFileSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { importExport } from '../../src/commands/move.ts';
import { reconcileDestination, retryRefused, undoDestination } from '../../src/commands/repair.ts';
import { verifyDestination } from '../../src/commands/check.ts';
import { loadMapping } from '../../src/mapping/load.ts';
import { parseFilter } from '../../src/mapping/filter.ts';
import { byName, sandboxContents } from './sandbox-contents.ts';
import { change, column, expectAllThere, type ServerScene, serverScene } from './server-scene.ts';
import type { RetryRequest } from '../../src/commands/requests.ts';

/**
 * Commands that are killed at a request, before the service applies it or after: the store becomes again what it was at that instant,
 * whatever the dying command wrote to it later, and the service keeps what it did.
 */
interface Killable {
  /** Prepares a scene so that the command has work to do. */
  readonly prepare: (scene: ServerScene) => Promise<void>;
  /** The command. @returns What it ends with. */
  readonly run: (scene: ServerScene, signal?: AbortSignal) => Promise<number>;
  /** Whether people, groups and members are imported before the messages. */
  readonly importsPeople?: boolean;
  /** Checks the result once the same command has ended with 0 or 3. */
  readonly expectDone: (scene: ServerScene) => Promise<void>;
}

/** Every second message is refused, and the cause is put right. */
async function refuse({ sandbox, request }: ServerScene): Promise<void> {
  sandbox.plan = { rules: [{ answer: 'items-refused', operations: ['importMessages'], share: 0.5, code: 'ERR_NO' }] };
  const { report } = await importExport(request);
  expect(report.totals.failed).toBeGreaterThan(8);
  sandbox.plan = {};
}

/** Expects each message once. Late messages come after their successors. */
async function expectEachOnce({ request, made, data }: ServerScene): Promise<void> {
  const { report, exit } = await verifyDestination(request);
  expect({ exit, verify: report.verify, totals: report.totals }).toMatchObject({
    exit: 0,
    verify: { same: made.planned, missing: 0, extra: 0, duplicated: 0 },
    totals: { planned: made.planned, pending: 0, unconfirmed: 0 },
  });
  expect(column(data, 'SELECT muid FROM message WHERE muid IS NOT NULL GROUP BY muid HAVING count(*) > 1')).toEqual([]);
}

const refusedIds = ({ request }: ServerScene): string[] =>
  column(request.store, `SELECT m.muid FROM delivery d JOIN message m ON m.seq = d.message WHERE d.state = 'failed'`);

const retrying = (choose: (scene: ServerScene) => Partial<RetryRequest>): Killable => {
  /** As they were named the first time. */
  const named = new WeakMap<ServerScene, Partial<RetryRequest>>();
  return {
    async prepare(scene) {
      await refuse(scene);
      named.set(scene, choose(scene));
    },
    run: async (scene, signal) => {
      const choice = { ids: [], confirm: async () => true, ...named.get(scene) };
      return (await retryRefused({ ...scene.request, ...(signal && { signal }), ...choice })).exit;
    },
    expectDone: expectEachOnce,
  };
};

const undoing = (more: { readonly keepUsers?: boolean; readonly only?: string } = {}): Killable => ({
  prepare: async ({ request }) => void (await importExport({ ...request, trackUsers: true })),
  run: async ({ request }, signal) => {
    const only = more.only === undefined ? undefined : parseFilter(more.only);
    const changes = { ...more, only, confirm: async () => true, ...(signal && { signal }) };
    return (await undoDestination({ ...request, ...changes })).exit;
  },
  async expectDone(scene) {
    if (more.only === undefined) expect(sandboxContents(scene.data).size).toBe(0);
    else expect(sandboxContents(scene.data).size).toBeLessThan(scene.made.conversations.size);
    await expectAllThere(scene);
  },
});

const reconciling = (newMuids: boolean): Killable => ({
  async prepare({ request, data }) {
    await importExport(request);
    if (newMuids) change(data, 'DELETE FROM message');
    else for (const end of ['', '-wal', '-shm']) rmSync(`${request.store}${end}`, { force: true });
  },
  run: async ({ request }, signal) => {
    const { exit, report } = await reconcileDestination({ ...request, newMuids, ...(signal && { signal }) });
    expect(report.stopped).toBeNull();
    // Missing messages are left for the next import.
    return newMuids && exit === 5 && !signal?.aborted ? 0 : exit;
  },
  async expectDone(scene) {
    const { exit } = await importExport(scene.request);
    expect(exit).toBe(0);
    expect(byName(sandboxContents(scene.data))).toEqual(byName(scene.made.conversations));
  },
});

export const killable: Readonly<Record<string, Killable>> = {
  retry: retrying(() => ({})),
  'retry --code': retrying(() => ({ code: 'ERR_NO' })),
  'retry ID…': retrying((scene) => ({ ids: refusedIds(scene) })),
  'verify --repair': {
    async prepare({ request, data }) {
      await importExport(request);
      change(data, 'DELETE FROM message WHERE id % 3 = 0');
    },
    run: async ({ request }, signal) => {
      const repair = { sendProfiles: 'first', maxFailureShare: 1 } as const;
      return (await verifyDestination({ ...request, repair, ...(signal && { signal }) })).exit;
    },
    expectDone: expectEachOnce,
  },
  undo: undoing(),
  'undo --only': undoing({ only: 'in:C00000001' }),
  'undo --keep-users': undoing({ keepUsers: true }),
  'undo with people': { ...undoing(), importsPeople: true },
  'import after an undo with people': {
    importsPeople: true,
    async prepare({ request }) {
      await importExport(request);
      expect((await undoDestination({ ...request, confirm: async () => true })).exit).toBe(0);
    },
    run: async ({ request }, signal) => (await importExport({ ...request, ...(signal && { signal }) })).exit,
    async expectDone(scene) {
      await expectAllThere(scene);
      expect(column(scene.data, 'SELECT id FROM user WHERE deactivated_at IS NOT NULL')).toEqual([]);
    },
  },
  'import with members for its time': {
    importsPeople: true,
    async prepare({ folder, sandbox }) {
      sandbox.plan = { outsiders: 'refused' };
      const list = join(folder, 'export/channels.json');
      const channels = JSON.parse(readFileSync(list, 'utf8')) as { members: string[] }[];
      writeFileSync(list, JSON.stringify(channels.map((one) => ({ ...one, members: one.members.slice(2) }))));
      writeFileSync(join(folder, 'mapping.yaml'), 'version: 1\npeople: { former: join }\n');
    },
    async run({ folder, request }, signal) {
      const mapping = await loadMapping(join(folder, 'mapping.yaml'));
      return (await importExport({ ...request, mapping, ...(signal && { signal }) })).exit;
    },
    async expectDone(scene) {
      await expectEachOnce(scene);
      const removed = column(scene.data, removals);
      expect(removed.length).toBeGreaterThan(2);
      expect(new Set(removed).size).toBe(removed.length);
      const members = new Set(column(scene.data, `SELECT 'group_' || guid || ' ' || uid FROM group_member`));
      expect(removed.filter((one) => members.has(one))).toEqual([]);
      expect(column(scene.request.store, `SELECT state FROM arrival_delivery WHERE state = 'leaving'`)).toEqual([]);
    },
  },
  reconcile: reconciling(false),
  'reconcile --new-muids': reconciling(true),
};

const removals = `SELECT c.name || ' ' || (m.entities ->> '$.on.entity.uid') FROM message m JOIN conversation c ON c.id = m.conversation
  WHERE m.category = 'action'`;

type When = 'before' | 'after';

/** Runs a command to its end. @returns How many requests it makes. */
export async function countRequests(
  folder: string,
  { prepare, run, importsPeople = false }: Killable,
): Promise<number> {
  const scene = await serverScene(folder, { messages: 60, importsPeople });
  await prepare(scene);
  let requests = 0;
  scene.sandbox.onRequest = () => void requests++;
  expect([0, 3]).toContain(await run(scene));
  scene.sandbox.onRequest = () => {};
  return requests;
}

/** Kills a command at a request, says it again until it ends with 0 or 3, and looks whether everything is as it should be. */
export async function killAt(
  folder: string,
  { prepare, run, expectDone, importsPeople = false }: Killable,
  { request, when, duplicates }: { request: number; when: When; duplicates: 'stored' | 'refused' },
): Promise<void> {
  const scene = await serverScene(folder, { messages: 60, duplicates, importsPeople });
  await prepare(scene);
  const { sandbox } = scene;
  const usual = sandbox.plan;
  const killed = new AbortController();
  const image = keptImage(scene.request.store);
  let requests = 0;
  const die = () => {
    if (++requests !== request) return;
    image.take();
    if (when === 'before') sandbox.plan = { ...usual, rules: [{ answer: 'error', status: 503, applied: 'nothing' }] };
    killed.abort(new Error('killed'));
  };
  if (when === 'before') sandbox.onArrival = die;
  else sandbox.onRequest = die;
  await run(scene, killed.signal).catch(() => {});
  [sandbox.onArrival, sandbox.onRequest] = [() => {}, () => {}];
  sandbox.plan = usual;
  expect(killed.signal.aborted).toBe(true);
  image.putBack();
  const exits: number[] = [];
  while (exits.length < 3 && exits.at(-1) !== 0 && exits.at(-1) !== 3) exits.push(await run(scene));
  expect([0, 3], `ended with ${exits.join(', ')}`).toContain(exits.at(-1));
  await expectDone(scene);
}

/** Copies the files of a store on disk, with its log. */
function keptImage(store: string) {
  const ends = ['', '-wal'];
  return {
    take() {
      for (const end of ends) if (existsSync(`${store}${end}`)) copyFileSync(`${store}${end}`, `${store}${end}.kept`);
    },
    putBack() {
      for (const end of [...ends, '-shm']) rmSync(`${store}${end}`, { force: true });
      for (const end of ends)
        if (existsSync(`${store}${end}.kept`)) copyFileSync(`${store}${end}.kept`, `${store}${end}`);
    },
  };
}
