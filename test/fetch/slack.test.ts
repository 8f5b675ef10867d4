import { expect, it } from 'vitest';
import { fetchHistory } from '../../src/commands/move.ts';
import { loadRecipeFile } from '../../src/fetch/load-recipe.ts';
import { silent } from '../../src/lib/flow/progress.ts';
import { run } from '../cli/in-process.ts';
import { fastClock } from '../scenes/fast-clock.ts';
import { temporaryFolder } from '../scenes/temporary-folder.ts';
import { localRecipe, rowsIn } from './fetched.ts';
import { type MockAnswer, type MockOptions, type MockRequest, startMock } from './mock/mock-provider.ts';
import { slackDialect } from './mock/slack.ts';
import { addMessage, makeWorld, type World } from './mock/world.ts';

const home = temporaryFolder();

/** Slack, which answers some requests as `instead` says. */
async function slackWith(
  world: World,
  instead: (request: MockRequest) => object | undefined,
  options: MockOptions = {},
) {
  const answer = (request: MockRequest): MockAnswer | undefined => {
    const json = instead(request);
    return json ? { json } : slackDialect.answer(request, world);
  };
  const mock = await startMock({ ...slackDialect, answer }, world, options);
  const folder = home.make();
  return { mock, folder, recipe: localRecipe('slack', mock.url, folder) };
}

async function fetched(world: World, instead: (request: MockRequest) => object | undefined, more: object = {}) {
  const { folder, recipe } = await slackWith(world, instead);
  const out = `${folder}/out`;
  const { manifest, requests } = await fetchHistory({
    recipe: loadRecipeFile(recipe),
    ...{ settings: {}, key: 'xoxp-made-up-0123456789', out },
    ...{ clock: fastClock(), random: () => 0.5, progress: silent },
    ...{ stopping: new AbortController().signal, signal: new AbortController().signal },
    ...more,
  });
  return { manifest, requests, ids: slackDialect.idsIn(rowsIn(out)).toSorted((a, b) => a - b) };
}

const isFor = ({ parts, query }: MockRequest, method: string, channel: string) =>
  parts[1] === method && query.get('channel') === channel;

it('a channel that the token cannot read is a gap, and the others come', async () => {
  const { manifest, ids } = await fetched(makeWorld(2, 3), (request) =>
    isFor(request, 'conversations.history', 'C00000001') ? { ok: false, error: 'not_in_channel' } : undefined,
  );
  expect(ids.length).toBe(3);
  expect(manifest.gaps).toMatchObject([{ step: 'messages', of: { channel: 'C00000001' } }]);
  expect(manifest.gaps[0]!.why).toContain('not_in_channel');
});

it('an error of Slack that passes is asked again, though its status is 200', async () => {
  let failures = 2;
  const { manifest, ids } = await fetched(makeWorld(1, 3), (request) =>
    isFor(request, 'conversations.history', 'C00000001') && failures-- > 0
      ? { ok: false, error: 'internal_error' }
      : undefined,
  );
  expect(manifest.gaps).toEqual([]);
  expect(ids.length).toBe(3);
});

it('a token without a right stops the fetch, and doctor says which one', async () => {
  const { folder, recipe } = await slackWith(makeWorld(1, 1), ({ parts }) =>
    parts[1] === 'users.list' ? { ok: false, error: 'missing_scope', needed: 'users:read' } : undefined,
  );
  const env = { CHATFERRY_FROM_KEY: 'xoxp-made-up-0123456789' };
  const stopped = await run(['fetch', '--recipe', recipe, '--out', 'out'], { folder, env });
  expect(stopped.code).toBe(8);
  expect(stopped.stderr).toContain('users:read');
  expect(stopped.stderr).toContain('Look at the key');
  const examined = await run(['doctor', '--recipe', recipe], { folder, env });
  expect(examined.stdout).toMatch(/missing_scope.*users:read/s);
});

it('messages that a plan of Slack hides are a gap', async () => {
  const world = makeWorld(1, 3);
  const { manifest } = await fetched(world, (request) => {
    const answer = slackDialect.answer(request, world)?.json;
    return request.parts[1] === 'conversations.history' ? { ...(answer as object), is_limited: true } : undefined;
  });
  expect(manifest.gaps).toMatchObject([{ step: 'messages', why: 'the provider holds rows back (/is_limited)' }]);
});

it('a page that says that more follows, and not where, is a gap', async () => {
  const world = makeWorld(1, 40);
  const { manifest } = await fetched(world, (request) => {
    const answer = slackDialect.answer(request, world)?.json;
    return request.parts[1] === 'conversations.history' ? { ...(answer as object), response_metadata: {} } : undefined;
  });
  expect(manifest.gaps[0]).toMatchObject({ why: 'page 1 says that more follows, and not where' });
});

it('replies that are counted and do not come are a gap', async () => {
  const world = makeWorld(1, 4);
  const { manifest } = await fetched(world, (request) => {
    if (request.parts[1] !== 'conversations.replies') return undefined;
    const { messages, ...answer } = slackDialect.answer(request, world)!.json as { messages: object[] };
    return { ...answer, messages: messages.slice(0, -1) };
  });
  expect(manifest.gaps).toMatchObject([{ step: 'replies', missing: 1 }]);
});

it('what changed since a time is new messages, and new replies to old ones', async () => {
  const world = makeWorld(2, 4);
  const [first, second] = world.conversations;
  const sinceMs = Date.parse('2026-06-01T00:00:00Z');
  // The fifth is a message of its own, the sixth answers the first one.
  for (const minute of [1, 2]) addMessage(world, first!, sinceMs + minute * 60_000);
  const { ids } = await fetched(world, () => undefined, { sinceMs });
  const thread = first!.messages.filter((_, index) => index === 0 || index % 2 === 1 || index === 4);
  expect(ids).toEqual(thread.map(({ id }) => id));
  expect(second!.messages.some(({ id }) => ids.includes(id))).toBe(false);
});
