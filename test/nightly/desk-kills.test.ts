import { settingsOf } from '../desk/deciding-scene.ts';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { confirmedDigest } from '../../src/decisions/decision.ts';
import type { CardPage, DeskState, PeoplePage, RunRequest } from '../../src/desk/shapes.ts';
import { seededRandom } from '../../src/lib/flow/seeded-random.ts';
import { parseRules } from '../../src/mapping/load.ts';
import { openDesk } from '../cli/desk-scene.ts';
import { serveSandbox, start, testKey } from '../cli/process.ts';
import { childrenOf, sendSignal } from '../process-family.ts';
import { killAtStep, killedAtStep } from '../scenes/killed-at-step.ts';
import { sandboxContents } from '../scenes/sandbox-contents.ts';
import { temporaryFolder } from '../scenes/temporary-folder.ts';
import { testSeed } from '../seed.ts';
import { countOf } from '../tier.ts';

const home = temporaryFolder();
const messages = 240;
const timeout = 120_000;

type Desk = Awaited<ReturnType<typeof openDesk>>;

/** Rows about which the desk has four questions. */
function writeExport(path: string): void {
  const row = (index: number) => [
    index,
    `p${index % 5}`,
    `p${(index + 1 + (index % 3)) % 5}`,
    `3/${1 + (index % 12)}/2026 ${1 + (index % 11)}:05 PM`,
    `Line ${index}`,
  ];
  const rows = [['id', 'from', 'to', 'sent', 'text'], ...Array.from({ length: messages }, (_, index) => row(index))];
  writeFileSync(path, rows.map((cells) => `${cells.join(',')}\n`).join(''));
}

/** A migration by the desk, which is killed again and again. Whatever was confirmed is looked for after each kill. */
class KilledDesk {
  kills = 0;
  readonly #folder: string;
  readonly #random: () => number;
  readonly #answers = new Map<string, string>();
  readonly #uids = new Map<string, string>();
  #desk!: Desk;
  #pid!: number;

  constructor(folder: string, random: () => number) {
    this.#folder = folder;
    this.#random = random;
  }

  async open(): Promise<void> {
    const [folder, env] = [this.#folder, killedAtStep(this.#folder)];
    this.#desk = await openDesk(['--no-open', 'export.csv'], folder, (args, where) => {
      const running = start(args, { folder: where.folder, env });
      this.#pid = running.child.pid!;
      return running;
    });
    await this.#desk.counted();
    await this.#check();
  }

  /** With the commands that it runs, or without them. */
  async kill(withRuns = false): Promise<void> {
    for (const pid of [this.#pid, ...(withRuns ? childrenOf(this.#pid) : [])]) sendSignal(pid, 'SIGKILL');
    await this.#ended();
  }

  async #ended(): Promise<void> {
    await this.#desk.program.ended;
    this.kills++;
    killAtStep(this.#folder, Number.POSITIVE_INFINITY);
    await this.open();
  }

  /** Nothing that was confirmed is gone, and every file is whole. */
  async #check(): Promise<void> {
    const { error } = await this.state();
    expect(error).toBeNull();
    const { rows } = await this.cards();
    for (const [id, value] of this.#answers)
      expect([id, rows.find((card) => card.id === id)?.answer]).toMatchObject([id, { value, by: 'Ana', holds: true }]);
    const people = await this.#desk.ask<PeoplePage>('people');
    for (const [id, uid] of this.#uids)
      expect([id, people.rows.find((person) => person.id === id)?.uid]).toEqual([id, uid]);
    if (this.#answers.size > 0) parseRules(this.file('chatferry.mapping.yaml'), 'chatferry.mapping.yaml');
  }

  state = () => this.#desk.ask<DeskState>('state');
  cards = () => this.#desk.ask<CardPage>('cards');
  people = () => this.#desk.ask<PeoplePage>('people');
  file = (name: string) => readFileSync(join(this.#folder, name), 'utf8');

  /**
   * Sends a change until it is confirmed: killed before the first change of a file, then before the second.
   *
   * @param already Words of the refusal of a change that a killed desk has made.
   */
  async change(send: (desk: Desk, version: string) => Promise<Response>, already?: string): Promise<void> {
    for (let step = 0; ; step++) {
      const { version } = await this.state();
      killAtStep(this.#folder, step);
      const answer = await send(this.#desk, version).catch(() => undefined);
      if (answer !== undefined) {
        killAtStep(this.#folder, Number.POSITIVE_INFINITY);
        const words = await answer.text();
        if (already === undefined || !words.includes(already)) expect([answer.status, words]).toEqual([200, words]);
        break;
      }
      await this.#ended();
    }
  }

  /** @param text Instead of its first answer. */
  async answer(card: string, text?: string): Promise<void> {
    const found = (await this.cards()).rows.find(({ id }) => id === card)!;
    this.#answers.delete(card);
    await this.change((desk, version) =>
      desk.send('answer', JSON.stringify({ version, card, answers: text === undefined ? [0] : [], text, by: 'Ana' })),
    );
    this.#answers.set(card, text ?? settingsOf(found.options[0]!)[0]!.replace(/^[^=]*=/, ''));
  }

  /** Another answer is taken back. A desk that was killed does not know any more that it can be. */
  async undo(): Promise<void> {
    const id = 'source.zone';
    await this.answer(id, 'Europe/Berlin');
    this.#answers.delete(id);
    const { version } = await this.state();
    killAtStep(this.#folder, Math.floor(this.#random() * 5));
    const answer = await this.#desk.send('undo', JSON.stringify({ version })).catch(() => undefined);
    if (answer === undefined) await this.#ended();
    else expect([answer.status, answer.statusText]).toMatchObject([200, expect.any(String)]);
    killAtStep(this.#folder, Number.POSITIVE_INFINITY);
    await this.answer(id);
  }

  async uid(id: string, uid: string): Promise<void> {
    await this.change((desk, version) => desk.send('person', JSON.stringify({ version, id, uid, by: 'Ana' })));
    this.#uids.set(id, uid);
  }

  async table(): Promise<void> {
    const table = await (await this.#desk.request('/desk/data/people.csv')).text();
    await this.change((desk, version) => desk.put(`people.csv?version=${encodeURIComponent(version)}&by=Ana`, table));
  }

  /** Starts a command until one has ended by itself; the others are killed in the middle, or go on without their desk. */
  async run(request: RunRequest, killsMax: number): Promise<void> {
    for (let kill = 0; ; kill++) {
      await this.#free();
      const { version } = await this.state();
      const answer = await this.#desk.send('run', JSON.stringify({ ...request, version }));
      expect([request.kind, answer.status, await answer.text()]).toMatchObject([request.kind, 200, expect.any(String)]);
      if (kill >= killsMax) break;
      await wait(this.#random() * 2_500);
      await this.kill(kill % 2 === 0);
    }
    await expect
      .poll(async () => (await this.state()).run, { timeout })
      .toMatchObject({ kind: request.kind, outcome: 'Done' });
  }

  /** Until no command goes on that an earlier desk has started. */
  async #free(): Promise<void> {
    await expect.poll(async () => (await this.state()).run?.endedAtMs ?? null, { timeout }).not.toBeNull();
    await wait(2_500);
    await expect.poll(async () => (await this.state()).run?.endedAtMs ?? null, { timeout }).not.toBeNull();
  }
}

it('a desk that is killed in every step keeps what it has confirmed, and its import loses and repeats nothing', async ({
  task,
}) => {
  const random = seededRandom(testSeed);
  const own = join(home.make(), 'own');
  mkdirSync(own);
  writeExport(join(own, 'export.csv'));
  const { url, data } = await serveSandbox(home.make(), { duplicates: 'stored' });
  const key = join(home.make(), 'key');
  writeFileSync(key, testKey, { mode: 0o600 });
  const desk = new KilledDesk(own, random);
  await desk.open();
  await desk.kill();
  for (const { id } of (await desk.cards()).rows) await desk.answer(id);
  await desk.undo();
  await desk.kill();
  await desk.run({ kind: 'plan' }, countOf({ ci: 1, nightly: 3 }));
  await desk.uid('p1', 'first');
  await desk.table();
  await desk.uid('p2', 'second');
  await desk.change(
    (one, version) => one.send('merge', JSON.stringify({ version, ids: ['p3', 'p4'], by: 'Ana' })),
    'is part of',
  );
  await desk.run({ kind: 'plan' }, 1);
  const reading = (await desk.cards()).rows.find(({ id }) => id === 'reading')!;
  await desk.run({ kind: 'plan', confirmReading: confirmedDigest(reading) }, 0);
  await desk.run({ kind: 'rehearse' }, countOf({ ci: 1, nightly: 3 }));
  await desk.change((one, version) => one.send('sign-off', JSON.stringify({ version, by: 'Ana', note: 'agreed' })));
  await desk.change((one, version) =>
    one.send('destination', JSON.stringify({ version, kind: 'address', to: url, keyFile: key })),
  );
  await desk.run({ kind: 'import' }, countOf({ ci: 2, nightly: 6 }));
  await desk.run({ kind: 'verify' }, 1);
  const arrived = [...sandboxContents(data).values()].flat().toSorted();
  expect(arrived).toEqual(Array.from({ length: messages }, (_, index) => `Line ${index}`).toSorted());
  task.meta.figures = { kills: desk.kills, messages };
}, 1_800_000);

it('two desks in a folder that write at once lose nothing that they have confirmed', async ({ task }) => {
  const folder = home.make();
  writeExport(join(folder, 'export.csv'));
  const open = () =>
    openDesk(['--no-open', 'export.csv'], folder, (args, where) => start(args, { folder: where.folder }));
  const desks = [await open(), await open()];
  let refused = 0;
  const sent = async (desk: Desk, name: string, body: object): Promise<void> => {
    for (;;) {
      const { version } = await desk.ask<DeskState>('state');
      const answer = await desk.send(name, JSON.stringify({ version, by: 'Ana', ...body }));
      const words = await answer.text();
      if (answer.status === 200) return;
      refused++;
      expect([answer.status, words]).toEqual([
        expect.toBeOneOf([409, 422]),
        expect.stringMatching(/DESK_CHANGED|DESK_BUSY|changed meanwhile/),
      ]);
    }
  };
  for (const desk of desks) await desk.counted();
  const cards = (await desks[0]!.ask<CardPage>('cards')).rows;
  await Promise.all(cards.map(({ id }, index) => sent(desks[index % 2]!, 'answer', { card: id, answers: [0] })));
  expect((await desks[1]!.ask<CardPage>('cards')).open).toBe(0);
  await desks[0]!.ran({ kind: 'plan' });
  const uids = new Map<string, string>();
  for (let round = 0; round < countOf({ ci: 3, nightly: 30 }); round++)
    await Promise.all(
      desks.map(async (desk, index) => {
        const [id, uid] = [`p${(round + index) % 5}`, `u-${round}-${index}`];
        await sent(desk, 'person', { id, uid });
        uids.set(id, uid);
      }),
    );
  for (const desk of desks) {
    const { rows } = await desk.ask<PeoplePage>('people');
    expect(Object.fromEntries(rows.map(({ id, uid }) => [id, uid]))).toEqual(Object.fromEntries(uids));
  }
  task.meta.figures = { 'refused and sent again': refused };
}, 1_800_000);
