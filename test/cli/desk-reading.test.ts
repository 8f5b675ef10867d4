import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import type { CardPage, DeskState, SeenCard } from '../../src/desk/shapes.ts';
import { confirmedDigest } from '../../src/decisions/decision.ts';
import { temporaryFolder } from '../scenes/temporary-folder.ts';
import { openDesk } from './desk-scene.ts';

const home = temporaryFolder();

/** Rows in which "room" says the conversation. */
function writeExport(path: string): void {
  const row = (id: number) => [
    ...[id, ['ann', 'bo', 'cy'][id % 3], ['harbour', 'kitchen'][id % 2]],
    ...[`2026-11-0${1 + (id % 9)}T10:00:00Z`, `Line number ${id}`],
  ];
  const rows = [['id', 'sender', 'room', 'sent_at', 'body'], ...Array.from({ length: 12 }, (_, id) => row(id))];
  writeFileSync(path, rows.map((cells) => `${cells.join(',')}\n`).join(''));
}

it('the desk confirms how rows are read, and sends nothing before', async () => {
  const folder = home.make();
  const path = join(folder, 'chats.csv');
  writeExport(path);
  const desk = await openDesk([path], folder);
  await desk.counted();
  const cards = () => desk.ask<CardPage>('cards');
  const steps = async () => {
    const { steps: all } = await desk.ask<DeskState>('state');
    return Object.fromEntries(all.map(({ step, status, note }) => [step, note === '' ? status : `${status}: ${note}`]));
  };
  for (let { rows } = await cards(); rows.some(({ answer }) => answer === null); { rows } = await cards()) {
    const { id } = rows.find(({ answer }) => answer === null)!;
    expect(await desk.change('answer', { card: id, answers: [0], by: 'Ana' })).toMatchObject({ status: 200 });
  }
  expect(await desk.ran({ kind: 'plan' })).toMatchObject({ exit: 2, outcome: 'Done', error: null });
  const waiting = { rehearse: 'waiting', go: 'waiting' };
  await expect.poll(steps).toMatchObject({ decide: 'open: 2 to decide', ...waiting });
  const [first] = (await cards()).rows;
  const card = await desk.ask<SeenCard>(`card?id=${first!.id}`);
  expect(card).toMatchObject({ id: 'reading', question: 'Is this your data?', about: { count: 12 }, answer: null });
  expect(card.examples).toContainEqual(expect.stringMatching(/^Written by \| sender: 3 people/));
  const sign = await desk.change('sign-off', { by: 'Ana', note: '' });
  expect(sign).toMatchObject({ status: 422, answer: { error: { message: expect.stringContaining('confirmed') } } });
  expect((await desk.ran({ kind: 'rehearse' })).exit).toBe(2);

  const refused = await desk.change('run', { kind: 'plan', confirmReading: 'aaaaaaaaaaaa' });
  expect(refused).toMatchObject({ status: 409, answer: { error: { code: 'DESK_CHANGED' } } });
  const digest = confirmedDigest(card)!;
  const confirmed = await desk.ran({ kind: 'plan', confirmReading: digest, by: 'Ana' });
  expect(confirmed).toMatchObject({
    exit: 0,
    error: null,
    text: expect.stringContaining(`--confirm-reading ${digest}`),
  });
  const { reading } = parse(readFileSync(join(folder, 'chatferry.mapping.yaml'), 'utf8'));
  expect(reading).toMatchObject({ confirmed: { digest, by: 'Ana' } });
  const log = JSON.parse(readFileSync(join(folder, 'chatferry.decisions.json'), 'utf8'));
  expect(log.decisions.at(-1)).toMatchObject({ key: 'reading', answer: digest, by: 'Ana' });
  await expect.poll(steps).toMatchObject({ decide: 'open: 1 to decide', rehearse: 'open', go: 'open' });
  expect(await desk.ran({ kind: 'rehearse' })).toMatchObject({ exit: 0, error: null });
  await expect.poll(steps).toMatchObject({ rehearse: 'done' });
});
