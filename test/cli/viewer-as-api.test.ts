import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openViewer } from '../../src/cli/operate/viewer.ts';
import { importExport } from '../../src/commands/move.ts';
import { systemClock } from '../../src/lib/flow/clock.ts';
import { loadMapping } from '../../src/mapping/load.ts';
import { openSandboxStore } from '../../src/sandbox/store.ts';
import { createSandbox } from '../../src/sandbox/app.ts';
import type {
  Comparison,
  ConversationDetails,
  ConversationPage,
  GroupsPage,
  MessagePage,
  PeoplePage,
  ShownMessage,
} from '../../src/viewer/shapes.ts';
import { temporaryFolder } from '../scenes/temporary-folder.ts';

const home = temporaryFolder();
const samples = join(import.meta.dirname, '../../samples');
const apiKey = 'key';

interface Entity {
  readonly uid?: string;
  readonly guid?: string;
  readonly name?: string;
  readonly role?: string;
}

/** A message as the public API answers it. */
interface Answered {
  readonly id: string;
  readonly muid?: string;
  readonly conversationId: string;
  readonly parentId?: string;
  readonly data: Readonly<Record<string, unknown>> & {
    readonly entities: Readonly<Record<string, { readonly entity: Entity; readonly entityType: string }>>;
    readonly mentions?: Readonly<Record<string, Entity>>;
    readonly reactions?: unknown;
  };
  readonly tags?: readonly string[];
  readonly sentAt: number;
  readonly readAt?: number;
  readonly deletedAt?: number;
}

/** A sample, imported, and the demo in one sandbox: `api` asks it with its key, `ask` its viewer. */
async function scene(sample: string) {
  const folder = home.make();
  const data = join(folder, 'chatferry.sandbox.db');
  const store = join(folder, 'chatferry.db');
  const mapping = await loadMapping(undefined);
  await importExport({ store, from: [join(samples, sample, 'export')], mapping, allowMappingChange: false });
  const sandbox = createSandbox({
    store: openSandboxStore(data),
    apiKey,
    profile: 'spec',
    seed: 'demo',
    clock: systemClock,
  });
  const viewer = await openViewer({ data });
  onTestFinished(() => {
    viewer.close();
    sandbox.close();
  });
  const { headers } = await viewer.page.answer({ method: 'GET', path: viewer.page.entrance, headers: {} });
  const cookie = headers['set-cookie']!.split(';', 1)[0]!;
  return {
    api: <Answer>(path: string, more: Record<string, string> = {}): Answer => {
      const { status, body } = sandbox.handle({ method: 'GET', path, headers: { apikey: apiKey, ...more } });
      if (status !== 200) throw new Error(`${path}: ${status} ${body}`);
      return JSON.parse(body);
    },
    ask: async <Answer>(name: string): Promise<Answer> => {
      const { status, body } = await viewer.page.answer({
        method: 'GET',
        path: `/viewer/data/${name}`,
        headers: { cookie },
      });
      if (status !== 200) throw new Error(`${name}: ${status} ${body}`);
      return JSON.parse(body);
    },
  };
}

type Scene = Awaited<ReturnType<typeof scene>>;

function allMessages({ api }: Scene, query = ''): Answered[] {
  const all: Answered[] = [];
  for (let id = '0'; ; ) {
    const { data } = api<{ readonly data: readonly Answered[] }>(`/v3/messages?limit=100&id=${id}${query}`);
    if (data.length === 0) return all;
    all.push(...data);
    id = data.at(-1)!.id;
  }
}

const isOfService = (name: string) => name === 'entities' || name === 'reactions';

/** Returns the viewer's form of a message, made from the answer of the API. */
function expectedOf({ id, muid, tags = [], data, ...answered }: Answered): Partial<ShownMessage> {
  return {
    id,
    muid: muid ?? null,
    tags,
    data: Object.fromEntries(Object.entries(data).filter(([name]) => !isOfService(name))),
    sentAt: answered.sentAt,
    deletedAt: answered.deletedAt ?? null,
    parent: answered.parentId ?? null,
    reactions: (data.reactions ?? []) as ShownMessage['reactions'],
  };
}

async function shownConversations({ ask }: Scene) {
  const { rows, totals } = await ask<ConversationPage>('conversations?count=200');
  const pages = await Promise.all(
    rows.map(({ id }) => ask<MessagePage>(`messages?conversation=${encodeURIComponent(id)}&count=200&from=0`)),
  );
  return { rows, totals, messages: pages.flatMap((page) => page.rows) };
}

describe.each(['slack/every-feature', 'mattermost/every-feature'])(
  'next to the public API, over %s, the viewer',
  (name) => {
    it('shows every message as it is answered, its JSON to the letter', async () => {
      const here = await scene(name);
      const answered = allMessages(here);
      const { rows, totals, messages } = await shownConversations(here);
      expect(answered.length).toBeGreaterThan(30);
      expect(totals).toEqual({ conversations: rows.length, messages: answered.length });
      const byId = new Map(messages.map((message) => [message.id, message]));
      for (const message of answered) {
        expect(byId.get(message.id)).toMatchObject(expectedOf(message));
        expect(Object.keys(byId.get(message.id)!.data)).toEqual(Object.keys(expectedOf(message).data!));
        const { stored } = await here.ask<Comparison>(`message?message=${message.id}`);
        expect(stored).toBe(JSON.stringify(message));
      }
      for (const { id, count, lastAt } of rows) {
        const own = answered.filter(({ conversationId }) => conversationId === id);
        expect([id, count, lastAt]).toEqual([id, own.length, own.at(-1)!.sentAt]);
      }
    });

    it('shows every person as messages name them', async () => {
      const here = await scene(name);
      const answered = [...allMessages(here), ...allMessages(here, '&mentionsWithTagInfo=true')];
      const entities = answered.flatMap(({ data }) => [
        ...Object.values(data.entities)
          .filter(({ entityType }) => entityType === 'user')
          .map(({ entity }) => entity),
        ...Object.values(data.mentions ?? {}),
      ]);
      const { rows } = await here.ask<PeoplePage>('people?count=200');
      const shown = new Map(rows.map(({ uid, name, role }) => [uid, { uid, name, role }]));
      expect(entities.length).toBeGreaterThan(40);
      for (const { uid, name, role } of entities) expect(shown.get(uid!)).toEqual({ uid, name, role });
    });

    it('shows every group and its members as the service answers for them', async () => {
      const here = await scene(name);
      const { rows } = await here.ask<GroupsPage>('groups?count=200');
      const written = allMessages(here).flatMap(({ data }) => data.entities.receiver?.entity.guid ?? []);
      expect(rows.map(({ guid }) => guid)).toEqual(expect.arrayContaining([...new Set(written)]));
      for (const { guid, name, access, description, members, conversation } of rows) {
        const { data } = here.api<{ readonly data: object }>(`/v3/groups/${guid}`);
        expect({ guid, name, type: access, membersCount: members, description }).toEqual({
          description: '',
          ...pick(data, ['guid', 'name', 'type', 'membersCount', 'description']),
        });
        if (conversation === null) continue;
        const details = await here.ask<ConversationDetails>(`conversation?conversation=${conversation}`);
        expect(details.memberCount).toBe(members);
        for (const { uid, scope, isDeactivated } of details.members) {
          if (isDeactivated) continue;
          expect(here.api(`/v3/groups/${guid}`, { onbehalfof: uid })).toMatchObject({
            data: { hasJoined: true, scope },
          });
        }
      }
    });
  },
);

const pick = (object: object, names: readonly string[]) =>
  Object.fromEntries(Object.entries(object).filter(([key]) => names.includes(key)));
