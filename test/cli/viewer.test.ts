import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openViewer } from '../../src/cli/operate/viewer.ts';
import { systemClock } from '../../src/lib/flow/clock.ts';
import { openSandboxStore } from '../../src/sandbox/store.ts';
import { createSandbox } from '../../src/sandbox/app.ts';
import type { ConversationPage, GroupsPage, MessagePage, Place, SearchPage } from '../../src/viewer/shapes.ts';
import { temporaryFolder } from '../scenes/temporary-folder.ts';

const home = temporaryFolder();
const apiKey = 'key';

/** A sandbox with the demo, and its viewer with a browser that was let in. */
async function scene() {
  const data = join(home.make(), 'sandbox.db');
  const sandbox = createSandbox({
    store: openSandboxStore(data),
    apiKey,
    profile: 'spec',
    seed: 'demo',
    clock: systemClock,
  });
  const links: string[] = [];
  const viewer = await openViewer({ data, onEntered: (entrance) => links.push(entrance) });
  onTestFinished(() => {
    viewer.close();
    sandbox.close();
  });
  const get = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
    viewer.page.answer({ method, path, headers });
  const cookie = (await get(viewer.page.entrance)).headers['set-cookie']!.split(';', 1)[0]!;
  const ask = async <Answer>(name: string): Promise<Answer> => {
    const { status, body } = await get(`/viewer/data/${name}`, { cookie });
    if (status !== 200) throw new Error(`${status} ${body}`);
    return JSON.parse(body);
  };
  const send = (messages: readonly { readonly muid: string }[]) => {
    const body = JSON.stringify({ messages: Object.fromEntries(messages.map((one) => [one.muid, one])) });
    return sandbox.handle({ method: 'POST', path: '/v3/data_import/messages', headers: { apikey: apiKey }, body });
  };
  return { get, ask, send, cookie, viewer, links };
}

const item = (index: number, receiver = 'long') => ({
  muid: `m${index}`,
  sender: 'ann',
  receiverType: 'group',
  receiver,
  sentAt: 1_700_000_000 + index * 60,
  data: {
    text: `Line ${index}${index === 7 ? ' of Größe' : ''}`,
    metadata: { chatferry: { v: 1, key: `m${index}`, ...(index === 9 && { thread: 'm2' }) } },
  },
  receiverGroupDetails: { guid: receiver, name: 'A long one' },
  senderUserDetails: { uid: 'ann', name: 'Ann Arbor' },
});

describe('the viewer', () => {
  it('shows the beginning of a text without Markdown marks, and other characters as they are', async () => {
    const { ask, send } = await scene();
    const lastOf = async (text: string, number: number) => {
      const message = item(number);
      await send([{ ...message, data: { ...message.data, text } } as never]);
      const { rows } = await ask<ConversationPage>('conversations?search=long');
      return rows[0]!.lastText;
    };
    const marked = '> See **the plan** of [the pier](https://example.com/pier)\n_and_ `main.ts`';
    expect(await lastOf(marked, 1)).toBe('See the plan of the pier and main.ts');
    expect(await lastOf('2 ** 3 and [a] (b) * c _d my_file_name', 2)).toBe('2 ** 3 and [a] (b) * c _d my_file_name');
  });

  it('labels a message without text in the list, and names mentioned people', async () => {
    const { ask, send } = await scene();
    const texts = Object.fromEntries(
      (await ask<ConversationPage>('conversations')).rows.map(({ id, lastText }) => [id, lastText]),
    );
    expect(texts).toMatchObject({
      ann_user_bob: 'The audio call of Bob Bay is going on',
      group_team: 'Eve Elm joined',
      ann_user_helper: 'Lunch on Friday',
      ann_user_cleo: '📍 Location',
    });
    const { rows: groups } = await ask<ConversationPage>('conversations?kind=group');
    expect(groups.map(({ id, lastSender }) => [id, lastSender])).toEqual([
      ['group_team', ''],
      ['group_club', 'eve'],
      ['group_board', 'bob'],
    ]);
    const message = item(1);
    await send([{ ...message, data: { ...message.data, text: 'Ask <@uid:cleo> or <@uid:none>' } } as never]);
    const { rows } = await ask<ConversationPage>('conversations?search=long');
    expect(rows[0]!.lastText).toBe('Ask @Cleo Creek or @none');
  });

  it('admits only browsers with the printed address', async () => {
    const { get, cookie, viewer } = await scene();
    const { entrance } = viewer.page;
    expect((await get('/viewer')).status).toBe(403);
    expect((await get('/viewer?open=guess')).status).toBe(403);
    expect((await get('/viewer/data/conversations')).status).toBe(403);
    expect((await get('/viewer/data/conversations', { cookie: `${cookie}x` })).status).toBe(403);
    expect((await get(entrance)).headers).toMatchObject({
      location: '/viewer',
      'set-cookie': expect.stringMatching(/; Path=\/viewer; HttpOnly; SameSite=Lax$/),
    });
    expect((await get('/viewer', { cookie })).status).toBe(200);
  });

  it('admits one browser for each address, and shows where the next address is', async () => {
    const { get, viewer, cookie, links } = await scene();
    const { entrance } = viewer.page;
    // The first one let in the browser of the scene.
    expect(links).toEqual([entrance]);
    const other = (await get(entrance)).headers['set-cookie']!.split(';', 1)[0]!;
    const used = await get(entrance);
    expect([used.status, used.body]).toEqual([403, expect.stringContaining('works once')]);
    expect(used.headers['set-cookie']).toBeUndefined();
    expect(links).toEqual([entrance, viewer.page.entrance]);
    expect(viewer.page.entrance).not.toBe(entrance);
    for (const browser of [cookie, other]) expect((await get('/viewer', { cookie: browser })).status).toBe(200);
    expect(other).not.toContain(entrance.split('=')[1]);
  });

  it('takes the secret out of the address of a browser that is in, which uses up no address', async () => {
    const { get, viewer, cookie } = await scene();
    const { entrance } = viewer.page;
    for (const path of [entrance, '/viewer?open=old']) {
      const { status, headers } = await get(path, { cookie });
      expect([status, headers.location, headers['set-cookie']]).toEqual([303, '/viewer', undefined]);
    }
    expect(viewer.page.entrance).toBe(entrance);
  });

  it('answers GET alone, and data to its own page alone', async () => {
    const { get, cookie } = await scene();
    expect((await get('/viewer', { cookie }, 'POST')).status).toBe(405);
    const from = (site: string) => get('/viewer/data/state', { cookie, 'sec-fetch-site': site });
    expect((await from('same-origin')).status).toBe(200);
    expect((await from('cross-site')).status).toBe(403);
    expect((await from('same-site')).status).toBe(403);
  });

  it('has a policy that lets nothing in from elsewhere, and no key in its page', async () => {
    const { get, cookie } = await scene();
    for (const path of ['/viewer', '/viewer/page.js', '/viewer/page.css', '/viewer/data/state']) {
      const { status, headers, body } = await get(path, { cookie });
      expect([path, status]).toEqual([path, 200]);
      expect(headers['content-security-policy']).toContain("default-src 'none'");
      expect(headers['content-security-policy']).not.toMatch(/unsafe|https?:/);
      expect(headers['content-security-policy']).toContain("img-src 'self' data:;");
      expect(body).not.toContain(`"${apiKey}"`);
    }
  });

  it('has a page of 180 KB at most', async () => {
    const { get, cookie } = await scene();
    const parts = await Promise.all(['/viewer/page.js', '/viewer/page.css'].map((path) => get(path, { cookie })));
    expect(parts.reduce((sum, { body }) => sum + Buffer.byteLength(body), 0)).toBeLessThan(180_000);
  });

  it('lists conversations by their last message, page by page, and finds them by name, kind and who takes part', async () => {
    const { ask } = await scene();
    const all = await ask<ConversationPage>('conversations');
    expect(all.rows.map(({ lastAt }) => lastAt)).toEqual(all.rows.map(({ lastAt }) => lastAt).sort((a, b) => b - a));
    expect(all.totals.conversations).toBe(all.rows.length);
    const first = await ask<ConversationPage>('conversations?count=2');
    const second = await ask<ConversationPage>(`conversations?count=2&after=${first.next}`);
    expect([...first.rows, ...second.rows]).toEqual(all.rows.slice(0, 4));
    const titles = async (search: string) =>
      (await ask<ConversationPage>(`conversations?${search}`)).rows.map(({ title }) => title);
    expect(await titles('search=chESS')).toEqual(['Chess club']);
    expect(await titles('kind=user')).toContain('Ann Arbor, Bob Bay');
    expect(await titles('kind=user')).not.toContain('Chess club');
    expect(await titles('as=cleo')).toEqual(expect.arrayContaining(['The team', 'Ann Arbor, Cleo Creek']));
    expect(await titles('as=cleo')).not.toContain('Chess club');
  });

  it('shows a conversation by position, and finds places by muid, id and time', async () => {
    const { ask, send } = await scene();
    send(Array.from({ length: 20 }, (_, index) => item(index)));
    const texts = async (search: string) => {
      const { rows, from } = await ask<MessagePage>(`messages?conversation=group_long&${search}`);
      return [from, ...rows.map(({ data }) => data.text)];
    };
    expect(await texts('from=0&count=2')).toEqual([0, 'Line 0', 'Line 1']);
    expect(await texts('from=17&count=5')).toEqual([17, 'Line 17', 'Line 18', 'Line 19']);
    expect(await texts('count=1')).toEqual([19, 'Line 19']);
    expect(await texts('from=900')).toEqual([20]);
    const place = await ask<Place>('place?message=m5');
    expect(place).toEqual({ conversation: 'group_long', id: expect.any(String), position: 5 });
    expect(await ask(`place?message=${place.id}`)).toEqual(place);
    const at = async (seconds: number) =>
      (await ask<Place>(`place?conversation=group_long&seconds=${seconds}`)).position;
    expect([await at(0), await at(item(4).sentAt), await at(item(4).sentAt + 1), await at(9e9)]).toEqual([0, 4, 5, 19]);
  });

  it('counts what arrives while it is open', async () => {
    const { ask, send } = await scene();
    const before = await ask<ConversationPage>('conversations');
    send([item(0)]);
    send([item(1), item(2, 'other')]);
    const after = await ask<ConversationPage>('conversations');
    expect(after.totals).toEqual({
      conversations: before.totals.conversations + 2,
      messages: before.totals.messages + 3,
    });
    expect(after.rows.find(({ id }) => id === 'group_long')).toMatchObject({ count: 2, lastText: 'Line 1' });
  });

  it('finds words in texts and names of files without regard to case', async () => {
    const { ask, send } = await scene();
    send(Array.from({ length: 20 }, (_, index) => item(index)));
    const found = async (text: string) =>
      (await ask<SearchPage>(`search?text=${encodeURIComponent(text)}`)).hits.map((hit) => hit.text);
    expect(await found('GRÖSSE')).toEqual([]);
    expect(await found('GRÖßE')).toEqual(['Line 7 of Größe']);
    expect(await found('boxes.PNG')).toEqual(['They did']);
    expect(await found('metadata')).toEqual([]);
    const within = await ask<SearchPage>('search?text=line&conversation=group_long');
    expect([within.hits.length, within.next]).toEqual([20, null]);
  });

  it('shows replies under the message they answer, by the service and by the metadata of an import', async () => {
    const { ask, send } = await scene();
    send(Array.from({ length: 20 }, (_, index) => item(index)));
    const page = await ask<MessagePage>('messages?conversation=group_long&from=0');
    expect(page.rows[2]).toMatchObject({ replies: 1 });
    expect(page.roots.m2).toMatchObject({ text: 'Line 2' });
    const thread = await ask<{ rows: { data: { text: string } }[] }>('replies?message=m2');
    expect(thread.rows.map(({ data }) => data.text)).toEqual(['Line 2', 'Line 9']);
    const team = await ask<MessagePage>('messages?conversation=group_team');
    expect(team.rows.filter(({ parent }) => parent !== null)).toHaveLength(1);
  });

  it('shows the JSON that the service answers, and says where nothing is', async () => {
    const { ask, send } = await scene();
    send([item(0)]);
    const { stored } = await ask<{ stored: string }>('message?message=m0');
    expect(JSON.parse(stored)).toMatchObject({
      muid: 'm0',
      conversationId: 'group_long',
      data: { entities: { sender: { entity: { name: 'Ann Arbor' } } } },
    });
    await expect(ask('message?message=none')).rejects.toThrow('404');
    await expect(ask('toString')).rejects.toThrow('404');
    await expect(ask('conversation?conversation=none')).rejects.toThrow('404');
  });

  it('has no conversations before there is a data file', async () => {
    const viewer = await openViewer({ data: join(home.make(), 'none.db') });
    const { headers } = await viewer.page.answer({ method: 'GET', path: viewer.page.entrance, headers: {} });
    const cookie = headers['set-cookie']!.split(';', 1)[0]!;
    const { status, body } = await viewer.page.answer({
      method: 'GET',
      path: '/viewer/data/conversations',
      headers: { cookie },
    });
    expect([status, JSON.parse(body).rows]).toEqual([200, []]);
  });

  it('shows groups by name with who may enter, members, messages and when the last one came', async () => {
    const { ask, send } = await scene();
    send([item(0, 'atlas'), item(1, 'atlas')]);
    const { rows, next } = await ask<GroupsPage>('groups');
    expect(rows.map(({ name }) => name)).toEqual(['A long one', 'Chess club', 'The board', 'The team']);
    expect(next).toBe(null);
    expect(rows[0]).toEqual({
      guid: 'atlas',
      name: 'A long one',
      access: 'public',
      description: '',
      members: 1,
      conversation: 'group_atlas',
      messages: 2,
      lastAt: item(1).sentAt,
    });
    expect(rows[1]).toMatchObject({ guid: 'club', access: 'password', members: 2 });
    expect(rows[3]).toMatchObject({ description: 'Everybody', members: 5 });
  });

  it('shows groups page by page, those of the same name too, and finds them by words and by who is a member', async () => {
    const { ask, send } = await scene();
    send(['g3', 'g1', 'g2', 'g5', 'g4'].map((guid, index) => item(index, guid)));
    const found: string[] = [];
    for (let next: string | null = ''; next !== null; ) {
      const page: GroupsPage = await ask(`groups?count=2&search=LONG&after=${next}`);
      found.push(...page.rows.map(({ guid }) => guid));
      next = page.next;
    }
    expect(found).toEqual(['g1', 'g2', 'g3', 'g4', 'g5']);
    const guids = async (search: string) => (await ask<GroupsPage>(`groups?${search}`)).rows.map(({ guid }) => guid);
    expect(await guids('search=everybody')).toEqual(['team']);
    expect(await guids('search=CLUB')).toEqual(['club']);
    expect(await guids('as=cleo')).toEqual(['team']);
    expect(await guids('as=nobody')).toEqual([]);
    expect(await guids('after=gone')).toEqual([]);
  });

  it('marks people as bots or deactivated', async () => {
    const { ask } = await scene();
    const { rows } = await ask<{ rows: { uid: string }[] }>('people?search=h');
    expect(rows).toContainEqual(expect.objectContaining({ uid: 'helper', name: 'Helper', isBot: true }));
    const dan = await ask<{ rows: { uid: string }[] }>('people?search=DALE');
    expect(dan.rows).toEqual([
      expect.objectContaining({ uid: 'dan', isDeactivated: true, conversations: expect.any(Number) }),
    ]);
  });
});
