import { describe, expect, it } from 'vitest';
import { runJson } from '../cli/in-process.ts';
import { temporaryFolder } from '../scenes/temporary-folder.ts';
import { tenthOf } from '../tier.ts';
import { fetchMock, rowsIn } from './fetched.ts';
import { dialects } from './mock/dialects.ts';
import type { MockAnswer } from './mock/mock-provider.ts';
import { addConversation, addMessage, makeWorld, textsOf } from './mock/world.ts';

const home = temporaryFolder();

const limited = (headers: Readonly<Record<string, string>>): MockAnswer => ({
  status: 429,
  headers,
  json: { message: 'slow down' },
});

describe.each(dialects)('a fetch from $provider', (dialect) => {
  it('brings every message of many pages once, though messages come while pages are read', async () => {
    const world = makeWorld(7, tenthOf(230), 230);
    const first = textsOf(world);
    const grow = (number: number) => {
      if (number % 3 !== 0) return undefined;
      addMessage(world, world.conversations[number % world.conversations.length]!);
      if (number % 12 === 0) addMessage(world, addConversation(world));
      return undefined;
    };
    const { out, fetched, folder } = await fetchMock(home.make(), dialect, world, { before: grow });
    const ids = dialect.idsIn(rowsIn(out));
    expect(new Set(ids).size).toBe(ids.length);
    expect([...first.keys()].filter((id) => !ids.includes(id))).toEqual([]);
    expect(fetched.manifest).toMatchObject({ gaps: [] });
    expect(fetched.manifest.ended).not.toBeNull();

    const { json, code } = await runJson(['plan', out, '--quiet'], { folder });
    expect(code).toBe(0);
    const { read, planned, skipped, invalid } = json as Readonly<Record<string, number>>;
    expect({ read, invalid, sum: planned! + skipped! }).toEqual({ read: ids.length, invalid: 0, sum: ids.length });
  });

  it('obeys 429 with and without a time to wait', async () => {
    const world = makeWorld(3, 120);
    // One of four requests at the same time must not be refused six times.
    const before = (number: number) => {
      if (number > 24) return undefined;
      if (number % 4 === 2) return limited({ 'retry-after': '7' });
      return number % 4 === 3 ? limited({}) : undefined;
    };
    const { out, fetched } = await fetchMock(home.make(), dialect, world, { before });
    expect(dialect.idsIn(rowsIn(out)).length).toBe(360);
    expect(fetched.requests.rateLimited).toBeGreaterThan(2);
  });

  it('asks for nothing that it has, if the same command runs again', async () => {
    const { fetched, again, mock } = await fetchMock(home.make(), dialect, makeWorld(3, 3));
    const asked = mock.requests.length;
    expect((await again()).manifest).toEqual(fetched.manifest);
    expect(mock.requests.length).toBe(asked);
  });
});

/** The second conversation of a world, as each provider calls it. */
const second: Readonly<Record<string, string>> = {
  twilio: `CH${'2'.padStart(32, '0')}`,
  'twilio-chat': `CH${'2'.padStart(32, '0')}`,
  intercom: '2',
  chatwoot: '2',
  sendbird: 'sendbird_open_channel_2',
};

describe.each(dialects.filter(({ provider }) => second[provider] !== undefined))(
  'a fetch from $provider of one conversation',
  (dialect) => {
    it('brings its messages alone', async () => {
      const world = makeWorld(3, 30);
      const { out } = await fetchMock(home.make(), dialect, world, { only: [second[dialect.provider]!] });
      const ids = world.conversations[1]!.messages.map(({ id }) => id);
      expect(dialect.idsIn(rowsIn(out)).toSorted((one, other) => one - other)).toEqual(ids);
    });
  },
);
