import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { exitCodes } from '../../src/model/exit-codes.ts';
import { reconcileDestination, undoDestination } from '../../src/commands/repair.ts';
import { importExport } from '../../src/commands/move.ts';
import type { FaultPlanInput } from '../../src/sandbox/fault-plan.ts';
import { driftScene } from '../scenes/drift-scene.ts';
import { firstOf, isNightly } from '../tier.ts';
import { seeded } from '../scenes/make-export.ts';
import { byName, sandboxContents } from '../scenes/sandbox-contents.ts';
import { change, column, expectAllThere, type ServerScene, serverScene } from '../scenes/server-scene.ts';
import { temporaryFolder } from '../scenes/temporary-folder.ts';
import { says } from '../scenes/write-records.ts';

const home = temporaryFolder();

const undo = (scene: ServerScene, changes: Partial<Parameters<typeof undoDestination>[0]> = {}) =>
  undoDestination({
    ...scene.request,
    ...changes,
    confirm: changes.confirm ?? (async () => true),
  });

describe.each(['refused', 'stored'] as const)('undo where duplicates are %s', (duplicates) => {
  it('takes everything back that an import brought, and the next import brings it again under other muids', async () => {
    const scene = await serverScene(home.make(), { duplicates });
    await importExport(scene.request);
    const before = muidsOf(scene.data);
    const { result, exit } = await undo(scene);
    expect(exit).toBe(exitCodes.done);
    expect(result.left).toEqual([]);
    expect(result.done.group.messages + result.done.conversation.messages).toBe(scene.made.planned);
    expect([...sandboxContents(scene.data).values()]).toEqual([]);
    await expectAllThere(scene);
    const after = muidsOf(scene.data);
    expect(after).toHaveLength(before.length);
    expect(after.filter((muid) => before.includes(muid))).toEqual([]);
    expectThreadsToHold(scene.data);
    // And once more: the third generation.
    expect((await undo(scene)).exit).toBe(exitCodes.done);
    await expectAllThere(scene);
  });
});

const muidsOf = (data: string) => column(data, 'SELECT muid FROM message ORDER BY muid');

/** Every answer in a thread names a message that is there. */
function expectThreadsToHold(data: string): void {
  const thread = `data ->> '$.metadata.chatferry.thread'`;
  const threads = column(data, `SELECT ${thread} FROM message WHERE ${thread} IS NOT NULL`);
  expect(threads.length).toBeGreaterThan(3);
  const muids = new Set(muidsOf(data));
  expect(threads.filter((muid) => !muids.has(muid))).toEqual([]);
}

describe('undo of a message that leaves the export afterwards', () => {
  it('remembers the muid that is used up: should the message come back, it goes under another', async () => {
    const scene = driftScene(home.make());
    const [one, two] = [says(1, 'general', 'ann', 'one'), says(2, 'general', 'ann', 'two')];
    scene.write([one, two]);
    await scene.import();
    const before = scene.metadata().map(({ key }) => key);
    await undoDestination({ ...(await scene.request({})), confirm: async () => true });
    scene.write([one]);
    await scene.import();
    expect(scene.texts()).toEqual(['one']);
    scene.write([one, two]);
    await scene.import();
    expect(scene.texts()).toEqual(['one', 'two']);
    expect(scene.metadata().filter(({ key }) => before.includes(key))).toEqual([]);
  });
});

describe('undo of texts that were sent in several messages', () => {
  it('takes back every part, and the next import brings them again under muids that belong together', async () => {
    const scene = driftScene(home.make());
    scene.write([says(1, 'general', 'ann', 'word '.repeat(100)), says(2, 'general', 'ann', 'short')]);
    const mapping = 'messages: { textCharsMax: 200, overlong: split }\n';
    await scene.import({ mapping });
    const before = scene.metadata();
    const request = await scene.request({ mapping });
    const { exit, result } = await undoDestination({ ...request, confirm: async () => true });
    expect({ exit, left: result.left, there: scene.texts() }).toEqual({ exit: exitCodes.done, left: [], there: [] });
    expect((await scene.import({ mapping })).report).toMatchObject({ totals: { imported: 2 }, verify: { same: 4 } });
    const [head, second, third] = scene.metadata();
    expect(head!.key).not.toBe(before[0]!.key);
    expect([second, third]).toMatchObject([
      { key: `${head!.key}p2`, part: 2, head: head!.key },
      { key: `${head!.key}p3`, part: 3, head: head!.key },
    ]);
  });
});

describe('undo of conversations that the mapping merges', () => {
  const long = 'word '.repeat(100);
  const records = [
    says(1, 'general', 'ann', 'one'),
    says(2, 'old', 'ann', long),
    says(3, 'older', 'bob', 'three', { threadRoot: 'm3' }),
    says(4, 'older', 'bob', 'four', { threadRoot: 'm3' }),
  ];
  const rules = (merge: string) =>
    `conversations: { merge: [[${merge}]] }\nmessages: { textCharsMax: 200, overlong: split }\n`;
  const mapping = rules('general, old, older');

  /** Imported, and one of another conversation changed since. */
  async function merged() {
    const scene = driftScene(home.make());
    scene.write(records);
    await scene.import({ mapping });
    scene.write(records.map((record) => (record.origin.id === 'm4' ? { ...record, text: 'four, changed' } : record)));
    expect((await scene.import({ mapping, drift: 'send' })).report).toMatchObject({
      totals: { imported: 4 },
      followUps: { imported: 1 },
    });
    expect(scene.texts()).toHaveLength(7);
    return scene;
  }

  async function takeBack(scene: ReturnType<typeof driftScene>) {
    const request = await scene.request({ mapping });
    return undoDestination({ ...request, confirm: async () => true });
  }

  it('takes back what came from each, parts and follow-ups too, and the next import brings it again', async () => {
    const scene = await merged();
    const before = scene.metadata().map(({ key }) => key);
    for (let round = 1; round <= 2; round++) {
      const { exit, result } = await takeBack(scene);
      expect({ exit, left: result.left, there: scene.texts() }).toEqual({ exit: exitCodes.done, left: [], there: [] });
      expect(await scene.import({ mapping })).toMatchObject({
        exit: exitCodes.done,
        report: { totals: { imported: 4 }, verify: { same: 6 } },
      });
      const there = scene.metadata();
      expect(there.filter(({ key }) => before.includes(key))).toEqual([]);
      const head = there[1]!.key as string;
      expect(there.slice(2, 4)).toMatchObject([
        { key: `${head}p2`, head },
        { key: `${head}p3`, head },
      ]);
      before.push(...there.map(({ key }) => key));
    }
  });

  it('also works if the mapping has merged more, or fewer, since', async () => {
    const scene = await merged();
    for (const less of ['general, older', 'general, new']) {
      await scene.plan({ mapping: rules(less), allowMappingChange: true });
      expect((await takeBack(scene)).exit).toBe(exitCodes.done);
      await scene.import({ mapping, allowMappingChange: true });
      expect((await scene.verify({ mapping })).report.verify).toMatchObject({ missing: 0, extra: 0, different: 0 });
    }
  });

  it('is known to a reconcile with a new store', async () => {
    const scene = await merged();
    await takeBack(scene);
    await scene.import({ mapping });
    const there = scene.texts();
    for (const end of ['', '-wal', '-shm']) rmSync(join(scene.folder, `chatferry.db${end}`), { force: true });
    const request = { ...(await scene.request({ mapping })), newMuids: false };
    expect(await reconcileDestination(request)).toMatchObject({ exit: exitCodes.done, found: { found: 6, extra: 0 } });
    expect((await scene.import({ mapping })).report.verify).toMatchObject({ same: 6, missing: 0 });
    expect(scene.texts()).toEqual(there);
  });
});

describe('undo', () => {
  it('shows in a dry run what it would delete, asks nothing, sends nothing, and can then be done', async () => {
    const scene = await serverScene(home.make());
    await importExport(scene.request);
    const before = muidsOf(scene.data);
    const asked = () => Promise.reject(new Error('asked'));
    const dry = await undo(scene, { dryRun: true, confirm: asked });
    const messages = dry.result.todo.group.messages + dry.result.todo.conversation.messages;
    expect({ exit: dry.exit, messages }).toEqual({ exit: exitCodes.done, messages: scene.made.planned });
    expect(dry.result).toMatchObject({ done: { group: { calls: 0 } }, reads: { import: 0, list: 0 } });
    expect(dry.result.requests.length).toBeGreaterThan(0);
    expect(muidsOf(scene.data)).toEqual(before);
    expect(dry.runId).toBeNull();
    expect(column(scene.request.store, 'SELECT command FROM run')).not.toContain('undo');
    expect(column(scene.request.store, 'SELECT count(*) FROM undo_call')).toEqual([0]);
    const { result } = await undo(scene);
    expect(result.done).toEqual(dry.result.todo);
  });

  it('leaves an import as it was after a dry run', async () => {
    const scene = await serverScene(home.make());
    await importExport(scene.request);
    await undo(scene, { dryRun: true });
    await expectAllThere(scene);
  });

  it('shows every request with its messages before the first one, and sends none if the answer is no', async () => {
    const scene = await serverScene(home.make());
    await importExport(scene.request);
    let shown = '';
    const { exit } = await undo(scene, {
      async confirm(planned) {
        shown = JSON.stringify(planned);
        expect(planned.todo.group.calls + planned.todo.conversation.calls).toBe(scene.made.conversations.size);
        expect(planned.requests.map(({ request }) => request)).toContain('DELETE /v3/groups/c00000000');
        return false;
      },
    });
    expect(shown).toContain('DELETE /v3/conversations/');
    expect(exit).toBe(exitCodes.usage);
    expect(byName(sandboxContents(scene.data))).toEqual(byName(scene.made.conversations));
  });

  it('leaves a conversation unchanged if it gets a new message between the question and the request', async () => {
    const scene = await serverScene(home.make());
    await importExport(scene.request);
    const { exit, result } = await undo(scene, {
      async confirm() {
        await scene.client.sendMessage({
          body: {
            receiver: 'c00000001',
            receiverType: 'group',
            category: 'message',
            type: 'text',
            data: { text: 'hello' },
          },
        });
        return true;
      },
    });
    expect(exit).toBe(exitCodes.someFailed);
    expect(result.left).toMatchObject([{ reason: 'foreign', calls: 1, examples: [{ name: 'channel-1' }] }]);
    const contents = sandboxContents(scene.data);
    expect([...contents.keys()]).toEqual(['group_c00000001']);
    expect(contents.get('group_c00000001')).toEqual([...scene.made.conversations.get('group_c00000001')!, 'hello']);
  });

  it.each([
    [
      '',
      'reacted',
      async ({ client, data }: ServerScene) => {
        const [id] = column(data, `SELECT id FROM message WHERE receiver = 'c00000001'`);
        const [sender] = column(data, `SELECT sender FROM message WHERE id = ${id}`);
        await client.addReaction({ id: String(id), reaction: '👍', onBehalfOf: sender! });
      },
    ],
    [
      'of which a text was changed',
      'different',
      async ({ data }: ServerScene) =>
        change(
          data,
          `UPDATE message SET data = json_set(data, '$.text', 'other') WHERE id = (SELECT min(id) FROM message WHERE receiver = 'c00000001')`,
        ),
    ],
    [
      'of which a message is gone',
      'not-all-listed',
      async ({ data }: ServerScene) =>
        change(data, `DELETE FROM message WHERE id = (SELECT min(id) FROM message WHERE receiver = 'c00000001')`),
    ],
  ])('leaves a group alone %s', async (_, reason, happen) => {
    const scene = await serverScene(home.make());
    await importExport(scene.request);
    await happen(scene);
    const { exit, result } = await undo(scene);
    expect(result.left).toMatchObject([{ reason, calls: 1 }]);
    expect(exit).toBe(exitCodes.someFailed);
    expect([...sandboxContents(scene.data).keys()]).toEqual(['group_c00000001']);
  });

  it('leaves existing messages and an existing empty group unchanged', async () => {
    const scene = await serverScene(home.make());
    change(
      scene.data,
      `INSERT INTO chat_group (id, entity) VALUES ('c00000000', '{"guid":"c00000000","type":"public","name":"old"}')`,
    );
    change(
      scene.data,
      `INSERT INTO chat_group (id, entity) VALUES ('c00000001', '{"guid":"c00000001","type":"public","name":"old"}')`,
    );
    await scene.client.sendMessage({
      body: {
        receiver: 'c00000001',
        receiverType: 'group',
        category: 'message',
        type: 'text',
        data: { text: 'first' },
      },
    });
    await importExport(scene.request);
    const { result } = await undo(scene);
    expect(result.left.map(({ reason }) => reason).sort()).toEqual(['foreign', 'group-existed']);
    expect([...sandboxContents(scene.data).keys()].sort()).toEqual(['group_c00000000', 'group_c00000001']);
  });

  it('leaves a group alone that people have joined who wrote nothing', async () => {
    const scene = await serverScene(home.make());
    for (const uid of ['x', 'y'])
      change(
        scene.data,
        `INSERT INTO group_member (guid, uid, scope, joined_at) VALUES ('c00000001', '${uid}', 'participant', 1)`,
      );
    await importExport(scene.request);
    const { result } = await undo(scene);
    expect(result.left).toMatchObject([{ reason: 'joined', calls: 1 }]);
    expect([...sandboxContents(scene.data).keys()]).toEqual(['group_c00000001']);
  });

  it('sends nothing to a destination with an interrupted undo, and continues where it stopped', async () => {
    const scene = await serverScene(home.make());
    await importExport(scene.request);
    for (let conversations = scene.made.conversations.size; ; ) {
      const stopping = new AbortController();
      const { exit } = await undo(scene, {
        concurrency: 1,
        stopping: stopping.signal,
        progress: { stage: () => ({ update: () => stopping.abort(), finish() {} }) },
      });
      const left = sandboxContents(scene.data).size;
      if (conversations === 0) break;
      expect(left).toBe(--conversations);
      expect(exit).toBe(exitCodes.stopped);
    }
    await expectAllThere(scene);
  });
});

const removals = ['deleteGroup', 'deleteConversation'] as const;

describe('undo at a service that breaks things', () => {
  it.each<[string, FaultPlanInput]>([
    [
      'gives no answer although it did it',
      { rules: [{ answer: 'closed', applied: 'whole', operations: [...removals] }] },
    ],
    [
      'gives no answer and did nothing',
      { rules: [{ answer: 'closed', applied: 'nothing', operations: [...removals], probability: 0.5 }] },
    ],
    ['answers 500', { rules: [{ answer: 'error', applied: 'nothing', operations: [...removals], probability: 0.4 }] }],
    [
      'does it later than it answers',
      { rules: [{ answer: 'page', applied: 'late', lateMs: 30, operations: [...removals] }] },
    ],
    [
      'allows no more requests for a while',
      { rules: [{ answer: 'rate-limited', retryAfter: 0, operations: [...removals], times: 4 }] },
    ],
    [
      'cannot be read at times',
      { rules: [{ answer: 'error', operations: ['listMessages', 'getGroup'], probability: 0.2 }] },
    ],
  ])('rolls everything back if it %s', async (_, plan) => {
    const scene = await serverScene(home.make(), { messages: 60 });
    await importExport(scene.request);
    scene.sandbox.plan = { seed: 3, ...plan };
    for (let runs = 1; (await undo(scene)).exit !== exitCodes.done; runs++) expect(runs).toBeLessThan(20);
    scene.sandbox.plan = {};
    expect(sandboxContents(scene.data).size).toBe(0);
    await expectAllThere(scene);
  });

  it('asks no second time while the first request may still be applied', async () => {
    const scene = await serverScene(home.make(), { messages: 60 });
    await importExport(scene.request);
    scene.sandbox.plan = { rules: [{ answer: 'page', applied: 'late', lateMs: 60, operations: [...removals] }] };
    const overrides = { ...scene.request.overrides, graceLongMs: 400 };
    expect((await undo(scene, { overrides })).exit).toBe(exitCodes.done);
    const { operations } = scene.sandbox.book.summary();
    const requests = removals.map((name) => operations[name]?.requests ?? 0);
    expect(requests[0]! + requests[1]!).toBe(scene.made.conversations.size);
  });

  it('stops where nothing can succeed, and nothing is half rolled back', async () => {
    const scene = await serverScene(home.make(), { messages: 60 });
    await importExport(scene.request);
    scene.sandbox.plan = {
      rules: [
        { answer: 'error', applied: 'nothing', status: 401, code: 'AUTH_ERR_NO_ACCESS', operations: [...removals] },
      ],
    };
    const { exit, result } = await undo(scene);
    expect(exit).toBe(exitCodes.needsPerson);
    expect(result.stopped).toMatchObject({ code: 'AUTH_ERR_NO_ACCESS' });
    scene.sandbox.plan = {};
    await expectAllThere(scene);
    expect((await undo(scene)).exit).toBe(exitCodes.done);
  });

  it.each(
    firstOf(1, [
      ['stored', 2],
      ['refused', 1],
    ] as const),
  )('is continued after it was killed between any two requests, where duplicates are %s', async (duplicates, seed) => {
    const scene = await serverScene(home.make(), { duplicates, messages: 60 });
    const random = seeded(seed);
    let kills = 0;
    for (let round = 0; round < (isNightly ? 3 : 1); round++) {
      await expectAllThere(scene);
      for (let isKilled = true; isKilled; ) {
        const killed = new AbortController();
        let requests = 1 + Math.floor(random() * 14);
        scene.sandbox.onRequest = () => {
          if (--requests === 0) killed.abort(new Error('killed'));
        };
        await undo(scene, { signal: killed.signal, concurrency: 2 });
        scene.sandbox.onRequest = () => {};
        isKilled = killed.signal.aborted;
        if (isKilled) kills++;
        await expectNothingHalfWay(scene);
      }
      expect(sandboxContents(scene.data).size, `seed ${seed}, round ${round}`).toBe(0);
    }
    expect(kills).toBeGreaterThan(isNightly ? 8 : 2);
    await expectAllThere(scene);
  });
});

/** While a request may still be applied, an import sends nothing. */
async function expectNothingHalfWay(scene: ServerScene): Promise<void> {
  const isOpen = column(scene.request.store, `SELECT 1 FROM undo_call WHERE state IN ('sent', 'gone')`).length > 0;
  if (!isOpen) return;
  const before = muidsOf(scene.data);
  const { report, exit } = await importExport({ ...scene.request, verify: false });
  if (report.totals.pending === 0) return;
  expect(report.stopped).toMatchObject({ code: 'undo-unfinished' });
  expect(exit).toBe(exitCodes.needsPerson);
  expect(muidsOf(scene.data)).toEqual(before);
}

describe('undo with people', () => {
  const deactivated = ({ data }: ServerScene) => column(data, 'SELECT id FROM user WHERE deactivated_at IS NOT NULL');
  const people = ({ data }: ServerScene) => column(data, 'SELECT id FROM user ORDER BY id');

  it('deactivates only people that the import created and that have no other messages', async () => {
    const scene = await serverScene(home.make(), { changes: { trackUsers: true } });
    change(
      scene.data,
      `INSERT INTO user (id, entity) VALUES ('u00000001', '{"uid":"u00000001","name":"there before"}')`,
    );
    await importExport(scene.request);
    await scene.client.sendMessage({
      onBehalfOf: 'u00000002',
      body: { receiver: 'u00000001', receiverType: 'user', category: 'message', type: 'text', data: { text: 'hello' } },
    });
    const { result } = await undo(scene);
    expect(deactivated(scene)).toEqual(people(scene).filter((uid) => !['u00000001', 'u00000002'].includes(uid)));
    expect(deactivated(scene).length).toBe(result.done.person.calls);
    expect(result.left.map(({ reason }) => reason)).toEqual(['has-messages']);
  });

  it('deactivates no person that the import did not look up before, and does not name them', async () => {
    const scene = await serverScene(home.make());
    await importExport(scene.request);
    const { result } = await undo(scene);
    expect(deactivated(scene)).toEqual([]);
    expect(result.left).toEqual([]);
    await expectAllThere(scene);
  });
});
