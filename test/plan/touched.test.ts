import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { planExport } from '../../src/commands/plan.ts';
import { listSamples } from '../contracts/samples.ts';
import { changesOfRules, exportOf, type GivenExport, planInto } from '../scenes/changed-rules.ts';
import { message, user, userId, writeFiles } from '../scenes/make-export.ts';
import { atUpdate, sessionRequest } from '../scenes/session-request.ts';
import { stagedContent } from '../scenes/staged-content.ts';
import { temporaryFolder } from '../scenes/temporary-folder.ts';
import { testSeed } from '../seed.ts';
import { isNightly } from '../tier.ts';

const home = temporaryFolder();

/** Of the samples, those that are tried in `npm test`: some files of each are touched by most keys. */
const quick: readonly string[] = ['samples/slack/every-feature'];
const samples = listSamples().filter(({ folder }) => isNightly || quick.includes(folder));

/** Everything is kept, and messages are decided about once all are read. */
const moreRules: Readonly<Record<string, unknown>> = {
  ...Object.fromEntries(['system', 'calls', 'deleted', 'internal'].map((key) => [`messages.${key}`, 'keep'])),
  'messages.orphans': testSeed % 4 < 2 ? 'skip' : 'unlink',
  'messages.empty': 'skip',
  'conversations.outsiders': 'reject',
};
/** Half of the samples, another half with another seed. */
const rulesOf = (index: number) => (isNightly && (index + testSeed) % 2 === 1 ? moreRules : {});

describe('a plan of a changed mapping', () => {
  it.each(samples)('leaves what a plan from nothing would: $folder', { timeout: 60_000 }, async (sample) => {
    const given = exportOf(sample, rulesOf(samples.indexOf(sample)));
    const notes: (string | undefined)[] = [];
    for await (const { name, after, fromNothing } of changesOfRules(home.make(), given)) {
      expect(after.content, name).toEqual(fromNothing.content);
      expect(after.report, name).toEqual(fromNothing.report);
      notes.push(after.note);
    }
    if (quick.includes(sample.folder))
      expect(notes.filter((note) => note?.includes('read again')).length).toBeGreaterThan(20);
  });
});

const [ann, bob, stranger, guest] = [userId(1), userId(2), userId(8), userId(9)];
const ts = (day: number, position: number) => `${Date.UTC(2024, 2, day) / 1000 + position}.000100`;
const joined = { subtype: 'channel_join' };

/** Three days of a channel: on the first the platform speaks, and a stranger is mentioned in an edited message; a guest writes on the second. */
const days: Readonly<Record<string, readonly unknown[]>> = {
  'general/2024-03-01.json': [
    message(ts(1, 1), ann, 'one'),
    message(ts(1, 2), ann, 'joined', joined),
    message(ts(1, 3), bob, `to <@${stranger}>`, { edited: { user: bob, ts: ts(1, 4) } }),
  ],
  'general/2024-03-02.json': [message(ts(2, 1), guest, 'who am I'), message(ts(2, 2), ann, 'two')],
  'general/2024-03-03.json': [message(ts(3, 1), bob, 'three')],
};

function slackExport(more: Readonly<Record<string, unknown>> = {}): GivenExport & { readonly folder: string } {
  const folder = home.make();
  writeFiles(join(folder, 'export'), {
    'users.json': [user(ann, 'Ann'), user(bob, 'Bob')],
    'channels.json': [{ id: 'C00000001', name: 'general', members: [ann, bob] }],
    ...days,
    ...more,
  });
  return { folder, paths: [join(folder, 'export')], source: 'slack', mapping: '' };
}

/** Plans under one mapping after the other into one store; returns the last one, and what a plan of it from nothing leaves. */
async function plans(given: ReturnType<typeof slackExport>, ...mappings: readonly string[]) {
  const { folder } = given;
  const store = join(folder, 'store.db');
  const alter = (sql: string) => alterStore(store, sql);
  const plan = async (mapping: string, into = store) => {
    writeFileSync(join(folder, 'mapping.yaml'), `${given.mapping}\n${mapping}\n`);
    return planInto(folder, into, join(folder, 'mapping.yaml'), given);
  };
  let last = await plan(mappings[0]!);
  for (const mapping of mappings.slice(1)) last = await plan(mapping);
  const fromNothing = await plan(mappings.at(-1)!, join(folder, 'nothing.db'));
  return { last, fromNothing, plan, alter };
}

function alterStore(path: string, sql: string): void {
  const db = new Database(path);
  db.exec(sql);
  db.close();
}

/** Tables of people and messages in each file, for the source json. */
const tables = `
source:
  tables:
    users: { file: "*.json", list: /users }
    conversations: { file: "*.json", list: /rooms }
    messages: { file: "*.json", list: /messages }
  conversations: { id: id, name: name }
  users: { id: id, name: name }
  messages: { id: id, conversation: room, author: author, text: text, time: { from: at, format: unix-s } }
`;
const said = (id: string, author: string) => ({ id, room: 'r1', author, text: `text ${id}`, at: 1_709_251_200 });
const described = (id: string, name: string) => ({ id, name });

function jsonExport(files: Readonly<Record<string, unknown>>): ReturnType<typeof slackExport> {
  const folder = home.make();
  writeFiles(join(folder, 'export'), files);
  return { folder, paths: [join(folder, 'export')], source: 'json', mapping: tables };
}

const keepSystem = 'messages: { system: keep }';
const skipEdited = 'messages: { edited: skip }';
const plain = 'messages: { system: skip }';

describe('a changed answer', () => {
  it.each([
    [plain, keepSystem, '1 of 3 files was read again'],
    [plain, 'people: { unknownAuthors: skip }', '1 of 3 files was read again'],
    [plain, 'messages: { edited: skip }\npeople: { unknownAuthors: reject }', '2 of 3 files were read again'],
    [plain, 'messages: { calls: keep }', '0 of 3 files were read again'],
    [plain, 'conversations: { exclude: [general] }', '3 of 3 files were read again'],
  ])('from %j to %j says what was read again', async (before, after, words) => {
    const { last, fromNothing } = await plans(slackExport(), before, after);
    expect(last.note).toBe(words);
    expect(last.content).toEqual(fromNothing.content);
    expect(last.report).toEqual(fromNothing.report);
  });

  it.each([
    'messages: { tags: [moved] }',
    'people: { uid: "{name}", unknownAuthors: skip }',
    'messages: { system: keep, threads: quote }',
    'conversations: { exclude: [nowhere] }',
  ])('to %j reads everything again', async (after) => {
    const { last, fromNothing } = await plans(slackExport(), plain, after);
    expect(last.note).toBeUndefined();
    expect(last.content).toEqual(fromNothing.content);
  });

  it('can change again and again', async () => {
    const { last, fromNothing } = await plans(
      slackExport(),
      plain,
      keepSystem,
      'people: { unknownAuthors: skip }',
      keepSystem,
    );
    expect(last.note).toBe('2 of 3 files were read again');
    expect(last.content).toEqual(fromNothing.content);
  });

  it('forgets a person whom only a message mentioned that is left out now', async () => {
    const { last, fromNothing, plan } = await plans(slackExport(), plain, skipEdited);
    const people = ({ content }: typeof last) => content.person!.filter((row) => row.includes(stranger));
    expect(last.note).toBe('1 of 3 files was read again');
    expect([people(await plan(plain)).length, people(last).length, people(fromNothing).length]).toEqual([1, 0, 0]);
  });

  it('keeps a person whom a message of another file mentions', async () => {
    const mentions = { 'general/2024-03-04.json': [message(ts(4, 1), ann, `and <@${stranger}>?`)] };
    const { last, fromNothing } = await plans(slackExport(mentions), plain, skipEdited);
    expect(last.content).toEqual(fromNothing.content);
    expect(last.note).toBe('1 of 4 files was read again');
  });

  it('reads everything if a message that is not sent may mention a person', async () => {
    const blank = message(ts(4, 1), ann, '', { reactions: [{ name: 'tada', users: [stranger], count: 1 }] });
    const { last, fromNothing } = await plans(slackExport({ 'general/2024-03-04.json': [blank] }), plain, skipEdited);
    expect(last.content).toEqual(fromNothing.content);
    expect(last.note).toBeUndefined();
  });

  it('reads everything if the export changed, too', async () => {
    const given = slackExport();
    const { plan } = await plans(given, plain);
    writeFiles(given.paths[0]!, { 'general/2024-03-03.json': [message(ts(3, 1), bob, 'other words')] });
    const last = await plan(keepSystem);
    expect(last.note).toBeUndefined();
    expect(last.content).toEqual((await plan(keepSystem, join(given.folder, 'new.db'))).content);
  });

  it.each([
    ['is described in two ways', [described('bob', 'Bob')], [described('bob', 'Robert')]],
    ['is described behind a message that names him', [], [described('bob', 'Bob')]],
  ])('reads everything if a person %s', async (_, before, behind) => {
    const files = {
      'a.json': { users: before, messages: [said('1', 'bob'), said('2', 'eve')] },
      'b.json': { users: behind, messages: [said('3', 'bob')] },
    };
    const { last, fromNothing } = await plans(jsonExport(files), plain, 'people: { unknownAuthors: skip }');
    expect(last.content).toEqual(fromNothing.content);
    expect(last.note).toBeUndefined();
  });

  it('reads everything if the name of an excluded conversation is in another file', async () => {
    const files = {
      'a.json': {
        users: [described('ann', 'Ann')],
        rooms: [{ id: 'r1', name: 'Secret' }],
        messages: [said('1', 'ann')],
      },
      'b.json': { messages: [said('2', 'eve')] },
    };
    const exclude = 'conversations: { exclude: [Secret] }';
    const given = jsonExport(files);
    const { last, fromNothing } = await plans(given, exclude, `${exclude}\npeople: { unknownAuthors: skip }`);
    expect(last.content).toEqual(fromNothing.content);
    expect(last.content.message!.every((row) => row.includes('conversation excluded'))).toBe(true);
  });

  it('would be noticed here if a file that it touches were missed', async () => {
    const { plan, alter, fromNothing } = await plans(slackExport(), plain);
    alter('UPDATE message SET facts = replace(facts, \'"system"\', \'"sytem"\')');
    const last = await plan(keepSystem);
    expect(last.note).toBe('0 of 3 files were read again');
    expect(last.content).not.toEqual(fromNothing.content);
  });
});

describe('a plan of touched files that was interrupted', () => {
  it('reads everything when it is repeated, and leaves what a plan from nothing would', async () => {
    // More rows than a transaction takes in the touched file, and more bytes in the other.
    const many = Array.from({ length: 5_100 }, (_, position) =>
      message(ts(1, position), ann, `${position}`, position % 50 === 0 ? joined : {}),
    );
    const long = [message(ts(2, 1), bob, 'long '.repeat(400_000))];
    const given = slackExport({ 'general/2024-03-01.json': many, 'general/2024-03-03.json': long });
    const { plan } = await plans(given, plain);
    const stop = new AbortController();
    const progress = atUpdate(1, () => stop.abort(new Error('stopped here')));
    const store = join(given.folder, 'store.db');
    const request = await sessionRequest(given.folder, {
      ...{ store, from: given.paths, mapping: keepSystem, progress, stopping: stop.signal },
    });
    const before = stagedContent(store).message!;
    await expect(planExport(request)).rejects.toThrow('stopped here');
    expect(stagedContent(store).message).not.toEqual(before);

    const last = await plan(keepSystem);
    expect(last.note).toBeUndefined();
    expect(last.content).toEqual((await plan(keepSystem, join(given.folder, 'new.db'))).content);
  });
});
