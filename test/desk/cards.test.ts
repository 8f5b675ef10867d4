import { userInfo } from 'node:os';
import { cpSync, existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { describeParts } from '../../src/rows/parts.ts';
import type { BeforeAfter } from '../../src/rows/rows-with-messages.ts';
import type { Card } from '../../src/desk/shapes.ts';
import { affectedBy } from '../../src/desk/engine/affected.ts';
import { noTotals } from '../../src/model/totals.ts';
import { run, runJson } from '../cli/in-process.ts';
import { never } from '../scenes/bench.ts';
import { confirmReading } from '../scenes/confirm-reading.ts';
import { temporaryFolder } from '../scenes/temporary-folder.ts';
import { decidingScene, sampleExport, settingsOf } from './deciding-scene.ts';
import { firstOf } from '../tier.ts';

const home = temporaryFolder();

/** Small ones with questions of different kinds. */
const withQuestions = [
  'csv/two-people',
  'csv/mapping-child-tables',
  'csv/mapping-one-table',
  'database/mapping-own-database',
];

/** The mapping that `init` leaves after the same answers, one after another. */
async function mappingOfInit(path: string, answers: readonly string[]): Promise<string> {
  const folder = home.make();
  for (const answer of answers)
    await run(['init', path, '--yes', '--no-count', '--set', answer, '--mapping', './chatferry.mapping.yaml'], {
      folder,
    });
  return readFileSync(join(folder, 'chatferry.mapping.yaml'), 'utf8');
}

const withoutSchema = (text: string | undefined) => text?.replace(/^# yaml-language-server.*$/m, '');

describe('cards of questions', () => {
  it.each(firstOf(2, withQuestions))(
    'of %s are answered until none is open, and write what "init --set" writes',
    async (name) => {
      const path = sampleExport(name);
      const scene = await decidingScene(home.make(), path);
      const answers: string[] = [];
      const asked = new Set<string>();
      const first = (await scene.open()).map(({ id }) => id);
      for (let open = await scene.open(); open.length > 0; open = await scene.open()) {
        const [card] = open;
        expect(asked).not.toContain(card!.id);
        asked.add(card!.id);
        const made = await (card!.options.length > 0
          ? scene.answer(card!.id, [0])
          : scene.answer(card!.id, [], ownAnswers[card!.id] ?? 'none'));
        answers.push(...made.sets);
      }
      // An answer may raise another question, and makes none of these go away.
      expect([...asked]).toEqual(expect.arrayContaining(first));
      expect(withoutSchema(scene.mapping())).toBe(withoutSchema(await mappingOfInit(path, answers)));
      const decided = (await scene.cards()).filter(({ ifUndecided }) => 'stops' in ifUndecided);
      expect(new Set(decided.map(({ id }) => id))).toEqual(asked);
      for (const card of decided) expect(card.answer).toMatchObject({ by: 'Ana', atMs: 1000, holds: true });
    },
  );

  it('show rows and messages under each answer, as "init --set" does', async () => {
    const path = sampleExport('csv/two-people');
    const scene = await decidingScene(home.make(), path);
    for (const card of await scene.open()) {
      for (const [index, option] of card.options.entries()) {
        const { rows } = await scene.preview(card.id, index);
        const args = settingsOf(option).flatMap((set) => ['--set', set]);
        const { json } = await runJson(['init', path, '--yes', '--no-count', ...args], { folder: home.make() });
        const wanted = json.beforeAfter as readonly BeforeAfter[];
        expect(rows.map(({ place, row, message }) => [place, row, message])).toEqual(
          wanted.map((one) => [one.place, one.row, describeParts(one)]),
        );
      }
    }
  });

  it('say of each row under an answer what a plan with the same mapping makes of it', async () => {
    const folder = home.make();
    const path = join(folder, 'chats.csv');
    const rows = [
      '1,Ana,general,2024-03-01 10:00:00,hello,T',
      '2,Ben,general,2024-03-01 10:01:00,Ben has joined,S',
      '3,Ben,general,2024-03-01 10:02:00,thanks,T',
    ];
    writeFileSync(path, ['id,author,room,sent_at,body,kind', ...rows, ''].join('\n'));
    const messages = { id: 'id', author: 'author', authorName: 'author', conversation: 'room', text: 'body' };
    const kind = { from: 'kind', values: { T: 'message', S: 'system' } };
    const source = { zone: 'UTC', messages: { ...messages, time: { from: 'sent_at' }, kind } };
    const verdicts = async (rules: object) => {
      writeFileSync(join(folder, 'chatferry.mapping.yaml'), JSON.stringify({ source, ...rules }));
      const scene = await decidingScene(folder, path);
      const card = (await scene.cards()).find(({ id }) => id === 'source.zone');
      return (await scene.preview(card!.id, -1)).rows.map(({ place, verdict, reason }) => [place, verdict, reason]);
    };
    expect(await verdicts({})).toEqual([
      ['chats.csv:2', 'sent', null],
      ['chats.csv:3', 'skipped', 'system message: system'],
      ['chats.csv:4', 'sent', null],
    ]);
    expect((await verdicts({ messages: { system: 'keep' } })).map(([, verdict]) => verdict)).toEqual([
      ...['sent', 'sent', 'sent'],
    ]);
  });

  it('know what a terminal has decided, and nothing that nobody decided', async () => {
    const path = sampleExport('csv/two-people');
    const folder = home.make();
    await run(['init', path, '--yes', '--no-count', '--set', 'source.zone=UTC'], { folder });
    const scene = await decidingScene(folder, path);
    const cards = await scene.cards();
    const zone = cards.find(({ id }) => id === 'source.zone');
    expect(zone?.answer).toMatchObject({ option: 0, value: 'UTC', by: userInfo().username, holds: true });
    expect(cards.filter(({ answer }) => answer !== null)).toHaveLength(1);
    expect(cards.at(-1)?.id).toBe('source.zone');
  });

  it('take a value of the user, and refuse one that cannot be', async () => {
    const scene = await decidingScene(home.make(), sampleExport('csv/two-people'));
    await expect(scene.answer('source.messages.author', [], 'no_such_column')).rejects.toThrow('no_such_column');
    expect(scene.mapping()).toBeUndefined();
    await scene.answer('source.zone', [], 'Europe/Berlin');
    expect(scene.mapping()).toMatch(/zone: Europe\/Berlin/);
    await expect(scene.answer('no-such-card', [0])).rejects.toThrow('no such decision');
    await expect(scene.answer('source.messages.author', [99])).rejects.toThrow('no such answer');
    await expect(scene.answer('source.messages.author', [0, 1])).rejects.toThrow('no such answer');
  });

  it('show what a value of the user would make, and why one cannot be', async () => {
    const scene = await decidingScene(home.make(), sampleExport('csv/two-people'));
    const format = await scene.preview('source.messages.time.format', -1, 'M/d/yyyy h:mm a');
    expect(format.rows).toHaveLength(3);
    const { rows, why } = await scene.preview('source.messages.author', -1, 'no_such_column');
    expect([rows, why]).toEqual([[], expect.stringContaining('no_such_column')]);
    await expect(scene.preview('source.zone', 7)).rejects.toThrow('no such answer');
    await expect(scene.preview('source.zone', 0, 'UTC')).rejects.toThrow('no value of your own');
  });

  it('can be answered again, and show the other readings still', async () => {
    const scene = await decidingScene(home.make(), sampleExport('csv/two-people'));
    const [card] = (await scene.open()).filter(({ options }) => options.length > 1);
    await scene.answer(card!.id, [0]);
    const again = (await scene.cards()).find(({ id }) => id === card!.id)!;
    expect(again.options).toEqual(card!.options);
    expect(again.answer?.option).toBe(0);
    await scene.answer(card!.id, [1]);
    expect((await scene.cards()).find(({ id }) => id === card!.id)?.answer?.option).toBe(1);
  });
});

describe('the number that a card affects', () => {
  const affectsOf = (cards: readonly Card[], id: string) => {
    const { about, isAll, found } = cards.find((card) => card.id === id)!;
    return { about, isAll, found };
  };
  const all = (count: number | null, of: Card['about']['of'], isExact = true) => ({
    ...{ about: { count, of, isExact }, isAll: true, found: null },
  });

  it('is that of the rows of the table, before anything is counted', async () => {
    const scene = await decidingScene(home.make(), sampleExport('csv/two-people'));
    const cards = await scene.cards();
    expect(affectsOf(cards, 'source.zone')).toEqual(all(6, 'rows'));
    for (const { id } of cards) expect(affectsOf(cards, id)).toEqual(all(6, 'rows'));
  });

  it('is that of all messages once everything is decided and counted', async () => {
    const counted = { messages: 12, people: 3, conversations: 2 };
    const scene = await decidingScene(home.make(), sampleExport('csv/two-people'), { counted });
    expect(affectsOf(await scene.cards(), 'source.zone').about.of).toBe('rows');
    for (let open = await scene.open(); open.length > 0; open = await scene.open())
      await scene.answer(open[0]!.id, [0]);
    expect(affectsOf(await scene.cards(), 'source.zone')).toEqual(all(12, 'messages'));
  });

  it('is not known of a table that is not chosen yet', () => {
    const schema = { tables: [], proposed: { options: {}, findings: [], open: [] } };
    const known = { schema, counted: null, plan: null };
    expect(affectedBy('tables.messages', known)).toEqual(all(null, 'messages', false));
    expect(affectedBy('members.user', known)).toEqual(all(null, 'rows', false));
  });

  it('is about that of a server that estimates it, and what a plan has found is said with it', () => {
    const table = { name: 'msg', isView: false, rows: 1_000_000, columns: [], primaryKey: [], references: [] };
    const proposed = { options: { tables: { messages: { table: 'msg' } } }, findings: [], open: [] };
    const known = { schema: { tables: [table], proposed }, counted: null, plan: null };
    expect(affectedBy('zone', known)).toEqual(all(1_000_000, 'rows', false));
    const contents = [{ name: 'thread replies', read: 90_000, planned: 80_000 }];
    const plan = { totals: { ...noTotals(), read: 999_000 }, contents };
    expect(affectedBy('messages.reply', { ...known, plan })).toEqual({
      ...all(999_000, 'messages', false),
      found: { name: 'thread replies', count: 90_000 },
    });
    expect(affectedBy('messages.kind.values', { ...known, plan }).found).toEqual({ name: 'system messages', count: 0 });
  });
});

const skipIn = ({ options }: Card): number =>
  options.findIndex((option) => settingsOf(option).includes('people.unknownAuthors=skip'));

/** Values for questions that have no readings. */
const ownAnswers: Readonly<Record<string, string>> = {
  'source.messages.time.format': 'iso',
  'source.tables.users': 'users.csv',
};

describe('cards of findings', () => {
  const planned = async (sample: string) => {
    const folder = home.make();
    const path = sampleExport(sample);
    await run(['plan', path], { folder });
    return { folder, path, scene: await decidingScene(folder, path) };
  };
  const cardOf = (cards: readonly Card[], id: string) => cards.find((card) => card.id === id);

  it('are what a plan found that needs a decision, with options that are settings', async () => {
    const { scene } = await planned('slack/every-feature');
    const cards = await scene.open();
    expect(cards.map(({ id }) => id)).toEqual(['author-not-described', 'attachment-without-address']);
    const [card] = cards;
    expect(card).toMatchObject({ about: { count: 7, of: 'messages', isExact: true }, answer: null });
    expect(card!.options.flatMap(settingsOf)).toContain('people.unknownAuthors=skip');
    expect(card!.options.at(-1)!.effect).toEqual({ outside: true });
  });

  it('say of each answer which messages are sent', async () => {
    const { scene } = await planned('slack/every-feature');
    const [card] = await scene.open();
    const verdictOf = async (answer: number) =>
      (await scene.preview(card!.id, answer)).rows.map(({ verdict, reason }) => [verdict, reason]);
    const indexOf = (value: string) =>
      card!.options.findIndex((option) => settingsOf(option).includes(`people.unknownAuthors=${value}`));
    expect(await verdictOf(-1)).toEqual(Array.from({ length: 3 }, () => ['sent', null]));
    expect(await verdictOf(indexOf('skip'))).toEqual(Array.from({ length: 3 }, () => ['skipped', 'unknown author']));
    expect(await verdictOf(indexOf('reject'))).toEqual(Array.from({ length: 3 }, () => ['invalid', 'unknown-author']));
    const { rows } = await scene.preview(card!.id, -1);
    for (const { row, message } of rows) {
      expect(row!.length).toBeGreaterThan(2);
      expect(message.map(([part]) => part)).toContain('text');
    }
  });

  it('show the messages again once an export is back that was away', async () => {
    const folder = home.make();
    const path = join(folder, 'export');
    cpSync(sampleExport('slack/every-feature'), path, { recursive: true });
    await run(['plan', path], { folder });
    const scene = await decidingScene(folder, path);
    const facts = scene.facts();
    const [card] = await scene.open();
    const verdicts = async () =>
      (
        await scene.decisions.preview(scene.opened, { facts, card: card!.id, answer: -1, text: null, signal: never })
      ).rows.map(({ verdict }) => verdict);
    renameSync(path, `${path}.away`);
    expect(await verdicts()).toEqual(['undecided', 'undecided', 'undecided']);
    renameSync(`${path}.away`, path);
    expect(await verdicts()).toEqual(['sent', 'sent', 'sent']);
  });

  it('are decided by an answer, also once a plan no longer finds them', async () => {
    const { scene, folder, path } = await planned('slack/every-feature');
    const [card] = await scene.open();
    const skip = skipIn(card!);
    const made = await scene.answer(card!.id, [skip]);
    expect(made).toEqual({
      says: card!.options[skip]!.does,
      decisions: [
        {
          ...{ key: 'people.unknownAuthors', answer: 'skip', before: 'placeholder' },
          about: `${card!.question} Leave 7 messages out`,
        },
      ],
      sets: ['people.unknownAuthors=skip'],
    });
    const answer = { option: skip, value: 'skip', by: 'Ana', atMs: 1000, holds: true };
    expect(cardOf(await scene.cards(), card!.id)?.answer).toEqual(answer);
    await run(['plan', path, '--mapping', 'chatferry.mapping.yaml'], { folder });
    expect(cardOf(await scene.cards(), card!.id)).toMatchObject({ answer, about: { count: 0 } });
    expect((await scene.open()).map(({ id }) => id)).not.toContain(card!.id);
  });

  it('have the answer that a terminal gave since', async () => {
    const { scene, folder, path } = await planned('slack/every-feature');
    const [card] = await scene.open();
    await scene.answer(card!.id, [skipIn(card!)]);
    const again = async (value: string) =>
      await run(['init', path, '--yes', '--config', 'chatferry.yaml', '--set', `people.unknownAuthors=${value}`], {
        folder,
      });
    const by = userInfo().username;
    await again('placeholder');
    expect(cardOf(await scene.cards(), card!.id)?.answer).toMatchObject({ value: 'placeholder', by, holds: true });
    await again('reject');
    expect(cardOf(await scene.cards(), card!.id)?.answer).toMatchObject({ value: 'reject', by, holds: true });
  });

  it('take the time zone that an export does not name, with the messages under it', async () => {
    const { scene, folder, path } = await planned('whatsapp/android');
    const card = cardOf(await scene.open(), 'zone-assumed')!;
    const asking = card.options.findIndex(({ effect }) => 'asks' in effect);
    const utc = card.options.findIndex((option) => settingsOf(option).includes('source.zone=UTC'));
    expect([asking, utc]).toEqual([0, 1]);
    const times = async (answer: number, zone: string | null) =>
      (await scene.preview(card.id, answer, zone)).rows.map(({ message }) => new Map(message).get('time'));
    const assumed = await times(-1, null);
    expect(assumed).toHaveLength(3);
    expect(await times(utc, null)).toEqual(assumed);
    const earlier = assumed.map((time) => time!.replace(/\d\d(?=:)/, (hour) => String(Number(hour) - 1)));
    expect(await times(asking, 'Europe/Berlin')).toEqual(earlier);
    expect((await scene.preview(card.id, asking, 'Middle Earth')).why).toContain('zone');
    const made = await scene.answer(card.id, [asking], 'Europe/Berlin');
    expect(made.sets).toEqual(['source.zone=Europe/Berlin']);
    const decided = { option: asking, value: 'Europe/Berlin', by: 'Ana', holds: true };
    expect(cardOf(await scene.cards(), card.id)?.answer).toMatchObject(decided);
    await run(['plan', path, '--mapping', 'chatferry.mapping.yaml'], { folder });
    expect(cardOf(await scene.cards(), card.id)?.answer).toMatchObject(decided);
    expect((await scene.open()).map(({ id }) => id)).not.toContain(card.id);
  });

  it('are decided by nothing that is done elsewhere, or by a command', async () => {
    const { scene } = await planned('slack/every-feature');
    const [card] = await scene.open();
    for (const [index, option] of card!.options.entries())
      if (settingsOf(option).length === 0)
        await expect(scene.answer(card!.id, [index])).rejects.toThrow('given by a command, by a value, or elsewhere');
    expect(scene.mapping()).toBeUndefined();
    expect((await scene.open()).map(({ id }) => id)).toContain(card!.id);
  });

  it('are rows that cannot be sent as well, where a setting is for them', async () => {
    const { scene } = await planned('matrix/damaged-events');
    const card = cardOf(await scene.open(), 'blank-text')!;
    expect(card).toMatchObject({ about: { count: 1, of: 'rows' }, options: [{ does: 'Leave 1 row out by rule' }] });
    const { rows } = await scene.preview(card.id, -1);
    for (const { row, reason } of rows) expect([row, reason]).not.toContain(null);
    const verdict = async (answer: number) => (await scene.preview(card.id, answer)).rows.map((row) => row.verdict);
    expect([await verdict(-1), await verdict(0)]).toEqual([['invalid'], ['skipped']]);
    await scene.answer(card.id, [0]);
    expect(cardOf(await scene.cards(), card.id)?.answer).toMatchObject({ value: 'skip', by: 'Ana', holds: true });
    expect((await scene.open()).map(({ id }) => id)).not.toContain(card.id);
  });
});

describe('cards of columns', () => {
  it('offer those that nothing reads, several at once', async () => {
    const path = sampleExport('csv/mapping-one-table');
    const scene = await decidingScene(home.make(), path);
    const facts = {
      ...scene.facts(),
      unread: [
        { name: 'mood', rows: 3 },
        { name: 'a.b', rows: 1 },
      ],
    };
    const cards = await scene.decisions.cards(scene.opened, facts);
    expect(cards.at(-1)).toMatchObject({
      ...{ id: 'columns', takesSeveral: true, answer: null },
      options: [
        { does: 'Keep "mood"', effect: { sets: { 'source.messages.custom.mood': 'mood' } } },
        { does: 'Keep "a.b"', effect: { sets: { 'source.messages.custom."a.b"': 'a.b' } } },
      ],
    });
  });
});

const schemas = join(import.meta.dirname, '../../../shared/schemas/django-rooms/app.sqlite');
const campfire = join(import.meta.dirname, '../../../shared/schemas/rails-campfire/app.sqlite');

describe.skipIf(!existsSync(campfire))('the database of rails-campfire (needs ../shared)', () => {
  it('shows rows of the query that reads it, and who sees each message under an answer', async () => {
    const scene = await decidingScene(home.make(), campfire);
    const [card] = await scene.open();
    const seenBy = async (answer: number) =>
      (await scene.preview(card!.id, answer)).rows.map(({ row, message }) => {
        expect(row!.map(([column]) => column)).toContain('body');
        return new Map(message).get('seen by');
      });
    expect(await seenBy(-1)).toEqual(['?', '?', '?']);
    expect(await seenBy(0)).toEqual(['its members', 'its members', 'its members']);
    expect(await seenBy(1)).toEqual(['the two who talk', 'the two who talk', 'everyone']);
    const { tables } = await scene.decisions.schema(scene.opened, scene.facts());
    const roles = new Map(tables.map(({ name, role }) => [name, role]));
    const read = ['messages', 'action_text_rich_texts', 'rooms', 'sessions'].map((name) => roles.get(name));
    expect(read).toEqual(['messages', 'messages', 'conversations', null]);
  });
});

describe.skipIf(!existsSync(schemas))('the database of django-rooms (needs ../shared)', () => {
  it('has three questions, which can be answered to the end', async () => {
    const folder = home.make();
    const path = join(folder, 'app.sqlite');
    cpSync(schemas, path);
    const scene = await decidingScene(folder, path);
    expect((await scene.open()).map(({ id }) => id).toSorted()).toEqual([
      'source.messages.kind',
      'source.messages.reply',
      'source.zone',
    ]);
    await scene.answer('source.messages.kind', [0]);
    await scene.answer('source.messages.reply', [0]);
    await scene.answer('source.zone', [0]);
    expect(await scene.open()).toEqual([]);
    await confirmReading(folder, path, '--mapping', 'chatferry.mapping.yaml');
  });
});
