import { userInfo } from 'node:os';
import { settingsOf } from '../desk/deciding-scene.ts';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type {
  Answered,
  Card,
  CardPage,
  CardPreview,
  DeskState,
  SchemaView,
  SeenCard,
  TableView,
} from '../../src/desk/shapes.ts';
import { temporaryFolder } from '../scenes/temporary-folder.ts';
import { openDesk } from './desk-scene.ts';
import { run } from './in-process.ts';

const home = temporaryFolder();
const sample = (path: string) => join(import.meta.dirname, '../../samples', path);

/** The desk, opened in a folder; and what its page asks in the step Decide. */
async function scene(path: string, folder = home.make()) {
  const desk = await openDesk([path], folder);
  await desk.counted();
  const cards = () => desk.ask<CardPage>('cards');
  const send = async (name: string, body: object) => {
    const answer = await desk.send(name, JSON.stringify(body));
    return {
      status: answer.status,
      json: (await answer.json()) as Answered & { error?: { code: string; message: string } },
    };
  };
  const file = (name: string) =>
    existsSync(join(folder, name)) ? readFileSync(join(folder, name), 'utf8') : undefined;
  return {
    ...{ ...desk, folder, cards, post: send, file, mapping: () => file('chatferry.mapping.yaml') },
    preview: (card: string, answer: number) =>
      desk.ask<CardPreview>(`preview?card=${encodeURIComponent(card)}&answer=${answer}`),
    answer: async (changes: { readonly card: string } & Readonly<Record<string, unknown>>) =>
      await send('answer', { version: (await cards()).version, answers: [0], by: 'Ana', ...changes }),
  };
}

describe('the decisions of a desk', () => {
  it('are answered, taken back, and go on in a terminal', async () => {
    const path = sample('csv/two-people/export.csv');
    const desk = await scene(path);
    const first = await desk.cards();
    expect(first).toMatchObject({ open: 4, isPlanned: false, hasTables: true, next: null, undo: null });
    const [card] = first.rows;
    const { rows } = await desk.preview(card!.id, 0);
    expect(rows.map(({ verdict }) => verdict)).toEqual(['undecided', 'undecided', 'undecided']);

    const { status, json } = await desk.answer({ card: card!.id });
    const [set] = settingsOf(card!.options[0]!);
    const [key, value] = set!.split('=');
    expect([status, json]).toEqual([
      200,
      expect.objectContaining({
        ...{ open: 3, undo: card!.options[0]!.does, next: expect.stringMatching(/^source\./) },
        written: ['chatferry.yaml', 'chatferry.mapping.yaml', 'chatferry.decisions.json'],
      }),
    ]);
    expect(json.command).toMatch(/chatferry init --yes --no-count --set .* \S*export\.csv$/);
    expect(JSON.parse(desk.file('chatferry.decisions.json')!)).toMatchObject({
      decisions: [{ key, answer: value, by: 'Ana', card: card!.id }],
    });
    // The command that the page shows writes the same.
    const written = [desk.file('chatferry.yaml'), desk.mapping()];
    await desk.post('undo', { version: json.version });
    expect([desk.file('chatferry.yaml'), desk.mapping()]).toEqual([undefined, undefined]);
    const words = json.command.slice(json.command.indexOf('init')).match(/'[^']*'|\S+/g)!;
    await run(
      words.map((word) => word.replaceAll("'", '')),
      { folder: desk.folder },
    );
    expect([desk.file('chatferry.yaml'), desk.mapping()]).toEqual(written);
  });

  it('are taken back to the byte, one after another, unless somebody else has changed the files', async () => {
    const desk = await scene(sample('csv/two-people/export.csv'));
    const [one, two] = (await desk.cards()).rows;
    const states = [desk.mapping()];
    for (const { id } of [one!, two!]) {
      await desk.answer({ card: id });
      states.push(desk.mapping());
    }
    const undo = async () => await desk.post('undo', { version: (await desk.cards()).version });
    expect((await undo()).json).toMatchObject({ open: 3, undo: expect.stringMatching(/^[A-Z]/) });
    expect(desk.mapping()).toBe(states[1]);
    expect((await undo()).json).toMatchObject({ open: 4, undo: null });
    expect([desk.mapping(), desk.file('chatferry.yaml'), desk.file('chatferry.decisions.json')]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    expect((await undo()).status).toBe(409);
    await desk.answer({ card: one!.id });
    writeFileSync(join(desk.folder, 'chatferry.mapping.yaml'), `${desk.mapping()}\n# mine\n`);
    expect((await desk.cards()).undo).toBeNull();
    expect((await undo()).status).toBe(409);
    expect(desk.mapping()).toContain('# mine');
  });

  it('are refused if the files have changed since the page has seen them, and go on with what is there', async () => {
    const path = sample('csv/two-people/export.csv');
    const desk = await scene(path);
    const before = await desk.cards();
    await desk.answer({ card: 'source.zone' });
    await run(['init', path, '--yes', '--no-count', '--set', 'source.messages.author=from'], { folder: desk.folder });
    const stale = await desk.answer({ card: 'source.messages.conversation', version: before.version });
    expect([stale.status, stale.json.error?.code]).toEqual([409, 'DESK_CHANGED']);
    const fresh = await desk.cards();
    expect(fresh.rows.find(({ id }) => id === 'source.messages.author')?.answer).toMatchObject({
      value: 'from',
      by: userInfo().username,
    });
    expect(fresh.open).toBe(2);
    expect((await desk.answer({ card: 'source.messages.conversation' })).json).toMatchObject({ open: 1 });
    expect(desk.mapping()).toContain('zone: UTC');
  });

  it('are refused if their card has changed since it was shown: the same position may be another answer by now', async () => {
    const desk = await scene(sample('csv/two-people/export.csv'));
    const card = 'source.messages.conversation';
    const shown = await desk.ask<SeenCard>(`card?id=${card}`);
    await desk.answer({ card: 'source.messages.author' });
    const now = await desk.ask<SeenCard>(`card?id=${card}`);
    expect(now.options[0]).not.toEqual(shown.options[0]);
    expect((await desk.answer({ card, version: shown.version })).status).toBe(409);
    expect((await desk.answer({ card, version: now.version })).status).toBe(200);
  });

  it('need a name, an answer that there is, and a card', async () => {
    const desk = await scene(sample('csv/two-people/export.csv'));
    for (const [changes, status] of [
      [{ by: '  ' }, 400],
      [{ answers: [-1] }, 400],
      [{ answers: [99] }, 422],
      [{ card: 'no-such' }, 422],
      [{ answers: [], text: 'no_such_column', card: 'source.messages.author' }, 422],
    ] as const)
      expect([changes, (await desk.answer({ card: 'source.zone', ...changes })).status]).toEqual([changes, status]);
    expect(desk.mapping()).toBeUndefined();
    const card = await desk.request('/desk/data/card?id=no-such');
    expect([card.status, await card.json()]).toEqual([200, null]);
    expect(await desk.ask<Card>('card?id=source.zone')).toMatchObject({ id: 'source.zone', input: { type: 'zone' } });
  });

  it('are about the findings of a plan as well, and say what is sent under each answer', async () => {
    const desk = await scene(sample('slack/every-feature/export'));
    expect(await desk.cards()).toMatchObject({ rows: [], isPlanned: false, hasTables: false, open: 0 });
    await desk.ran({ kind: 'plan' });
    const { rows, isPlanned, open } = await desk.cards();
    expect([isPlanned, open, rows.map(({ id }) => id)]).toEqual([
      ...[true, 2],
      [...['author-not-described', 'attachment-without-address'], ...['system-lines', 'deleted-messages', 'calls']],
    ]);
    const skip = rows[0]!.options.findIndex((option) => settingsOf(option).includes('people.unknownAuthors=skip'));
    const preview = await desk.preview(rows[0]!.id, skip);
    expect(preview.rows.map(({ verdict, reason }) => [verdict, reason])).toEqual(
      Array.from({ length: 3 }, () => ['skipped', 'unknown author']),
    );
    await desk.answer({ card: rows[0]!.id, answers: [skip] });
    expect(desk.mapping()).toContain('unknownAuthors: skip');
    expect((await desk.ran({ kind: 'plan' })).outcome).toBe('Done');
    const after = await desk.cards();
    const asked = after.rows.find(({ id }) => id === 'author-not-described');
    expect([after.open, asked]).toMatchObject([
      1,
      { id: 'author-not-described', answer: { by: 'Ana', value: 'skip' } },
    ]);
    const state = await desk.ask<DeskState>('state');
    expect(state.steps.find(({ step }) => step === 'decide')).toMatchObject({ status: 'open', note: '1 to decide' });
  });
});

describe('the tables of a desk', () => {
  it('have roles and links, and values of the table of messages alone', async () => {
    const desk = await scene(sample('database/mapping-own-database/export.sqlite'));
    const { tables, links, total } = await desk.ask<SchemaView>('schema');
    expect(total).toBe(tables.length);
    const messages = tables.find(({ role }) => role === 'messages')!;
    const users = tables.find(({ role }) => role === 'users')!;
    expect(links).toContainEqual(expect.objectContaining({ from: messages.name, to: users.name }));
    for (const { name, role } of tables) {
      const { columns, rows } = await desk.ask<TableView>(`table?name=${encodeURIComponent(name)}`);
      expect(columns.length).toBeGreaterThan(0);
      expect([name, rows.length]).toEqual([name, role === 'messages' ? 3 : 0]);
    }
    const { columns } = await desk.ask<TableView>(`table?name=${messages.name}`);
    expect(columns.find(({ means }) => means === 'messages.author')).toBeDefined();
    expect((await desk.request('/desk/data/table?name=no-such')).status).toBe(422);
  });
});
