import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { sceneEffects, sceneRecords } from '../../scenes/actions-scene.ts';
import { ActionsWorld, plannedImage } from '../../scenes/actions-world.ts';
import { temporaryFolderInMemory } from '../../scenes/temporary-folder.ts';
import { channel, person, says } from '../../scenes/write-records.ts';

const home = temporaryFolderInMemory();
const operations = ['addReaction', 'addFriends', 'blockUsers', 'deactivateUsers'] as const;

type Options = Omit<ConstructorParameters<typeof ActionsWorld>[0], 'image'> & { readonly image?: Buffer };

let scene: Buffer;
beforeAll(async () => {
  scene = await plannedImage(home.make(), sceneRecords);
});

function worldOf(options: Options = {}): ActionsWorld {
  const world = new ActionsWorld({ image: scene, ...options });
  onTestFinished(() => world.close());
  return world;
}

const left = ({ totals }: ActionsWorld) =>
  Object.values(totals?.kinds ?? {}).reduce((sum, { pending, unconfirmed }) => sum + pending + unconfirmed, 0);

describe('an action that gets no answer', () => {
  it.each([
    ['applied', { answer: 'reset', applied: 'whole' }],
    ['not applied', { answer: 'reset', applied: 'nothing' }],
    ['applied late', { answer: 'closed', applied: 'late', lateMs: 30_000 }],
    ['applied, answered by a gateway', { answer: 'page', status: 504, applied: 'whole' }],
    ['applied, and the service says that it failed', { answer: 'error', status: 500, applied: 'whole' }],
    ['not applied, and the service says that it failed', { answer: 'error', status: 500, applied: 'nothing' }],
    ['applied, and the answer is cut', { answer: 'cut', applied: 'whole', share: 0.5 }],
    ['applied, and the answer is no JSON', { answer: 'invalid-json', applied: 'whole' }],
  ] as const)('is found out in the same run: %s', async (_, rule) => {
    const world = worldOf({ rules: [{ ...rule, operations: [...operations], times: 4 }] });
    expect(await world.live()).toMatchObject({ stopped: undefined });
    expect([world.effects(), left(world)]).toEqual([sceneEffects, 0]);
  });

  it('is looked for before it is asked for again, after the time in which it may arrive', async () => {
    const world = worldOf({
      rules: [{ answer: 'closed', applied: 'late', lateMs: 100_000, operations: ['addReaction'], times: 2 }],
    });
    const before = world.clock.now();
    await world.live();
    expect([world.effects(), world.repeatedReactions()]).toEqual([sceneEffects, []]);
    expect(world.clock.now() - before).toBeGreaterThanOrEqual(120_000);
  });

  it('is requested again if the destination shows no reactions', async () => {
    const world = worldOf({
      rules: [{ answer: 'reset', applied: 'whole', operations: ['addReaction'], times: 1 }],
      alter: (body) => body.replaceAll('"reactions":', '"hidden":'),
    });
    await world.live();
    expect([world.effects(), left(world)]).toEqual([sceneEffects, 0]);
    expect(world.requests.filter((request) => request.includes('/reactions/'))).toHaveLength(6);
  });

  it('fails with the error of the service after repeated failures, and the others are done', async () => {
    const records = [
      ...[person('ann'), channel('room')],
      ...[1, 2, 3].map((number) =>
        says(number, 'room', 'ann', `${number}`, { reactions: [{ emoji: '👍', users: ['ann'], count: 1 }] }),
      ),
    ];
    const world = worldOf({
      image: await plannedImage(home.make(), records),
      rules: [{ answer: 'error', status: 500, applied: 'nothing', operations: ['addReaction'], skip: 2 }],
    });
    expect(await world.live()).toMatchObject({ stopped: undefined });
    expect(world.totals?.kinds.reactions).toMatchObject({ done: 2, failed: 1, unconfirmed: 0 });
    expect(world.totals?.failed).toMatchObject([{ code: 'ERR_EXCEPTION', count: 1 }]);
  });
});

describe('a destination that asks for patience', () => {
  it('is given it, and then everything is done', async () => {
    const world = worldOf({
      rules: [{ answer: 'rate-limited', applied: 'nothing', operations: [...operations], times: 5, retryAfter: 20 }],
    });
    const before = world.clock.now();
    expect(await world.live()).toMatchObject({ stopped: undefined });
    expect([world.effects(), world.repeatedReactions()]).toEqual([sceneEffects, []]);
    expect(world.clock.now() - before).toBeGreaterThanOrEqual(20_000);
  });

  it('stops the run if it asks for too long a wait, and the next run continues', async () => {
    const world = worldOf({
      rules: [{ answer: 'rate-limited', applied: 'nothing', operations: ['addReaction'], times: 1, retryAfter: 3600 }],
    });
    expect(await world.live()).toMatchObject({ stopped: { code: 'ERR_TOO_MANY_REQUESTS' } });
    expect(left(world)).toBeGreaterThan(0);
    expect(await world.live()).toMatchObject({ stopped: undefined });
    expect(world.effects()).toEqual(sceneEffects);
  });
});

describe('a destination that denies access', () => {
  it.each([
    [401, 'AUTH_ERR_APIKEY_NOT_FOUND'],
    [403, 'ERR_PLAN_RESTRICTION'],
    [403, 'ERR_PLAN_QUOTA_RESTRICTION'],
  ])(
    'stops the run immediately, no action counts as rejected, and the next run continues: %i %s',
    async (status, code) => {
      const world = worldOf({
        rules: [{ answer: 'error', status, code, applied: 'nothing', operations: [...operations], times: 4 }],
      });
      expect(await world.live()).toMatchObject({ stopped: { code } });
      expect(world.totals?.failed).toEqual([]);
      for (let run = 0; run < 4; run++) await world.live();
      expect([world.effects(), left(world)]).toEqual([sceneEffects, 0]);
    },
  );

  it('does not receive a thousand actions if it answers none', async () => {
    const messages = Array.from({ length: 100 }, (_, index) =>
      says(index, 'room', 'ann', `${index}`, { reactions: [{ emoji: '👍', users: ['ann'], count: 1 }] }),
    );
    const world = worldOf({
      image: await plannedImage(home.make(), [person('ann'), channel('room'), ...messages]),
      rules: [{ answer: 'page', status: 502, applied: 'nothing', operations: ['addReaction'] }],
    });
    expect(await world.live()).toMatchObject({ stopped: { code: 'http_502' } });
    expect(world.requests.filter((request) => request.includes('/reactions/')).length).toBeLessThan(30);
    world.sandbox.plan = {};
    await world.live();
    expect([world.effects().length, left(world)]).toEqual([100, 0]);
  });
});

describe('a person to deactivate', () => {
  it('is not, as long as something of theirs is not settled', async () => {
    const world = worldOf({
      rules: [{ answer: 'reset', applied: 'nothing', operations: ['addReaction'] }],
    });
    await world.live();
    expect(world.effects().filter((effect) => effect.includes('deactivated'))).toEqual([]);
    expect(world.totals?.kinds.deactivations).toMatchObject({ pending: 1 });
    world.sandbox.plan = {};
    await world.live();
    expect(world.effects()).toEqual(sceneEffects);
  });
});
