import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type {
  ChangedPerson,
  DeskError,
  DeskState,
  DuplicatePage,
  ImportedPeople,
  MergedPeople,
  PeoplePage,
  ReportView,
} from '../../src/desk/shapes.ts';
import { openDesk } from '../cli/desk-scene.ts';
import { run } from '../cli/in-process.ts';
import { temporaryFolder } from '../scenes/temporary-folder.ts';

const home = temporaryFolder();
const slack = join(import.meta.dirname, '../../samples/slack/every-feature/export');

async function planned() {
  const folder = home.make();
  expect(await run(['plan', slack], { folder })).toMatchObject({ code: 0 });
  const desk = await openDesk([slack], folder);
  const text = (name: string) => readFileSync(join(folder, name), 'utf8');
  const decisions = () => (JSON.parse(text('chatferry.decisions.json')) as { decisions: Decision[] }).decisions;
  return { ...desk, folder, text, decisions };
}

interface Decision {
  readonly key: string;
  readonly answer: string;
  readonly before: string | null;
  readonly by: string;
}

/** The part of a version that says which files were seen. */
const ofFiles = (version: string) => version.split('.')[0];

type Refused = { readonly error: DeskError };

describe('the people of the desk', () => {
  it('are unknown before a plan', async () => {
    const desk = await openDesk([slack], home.make());
    expect(await desk.ask<PeoplePage>('people')).toMatchObject({ rows: [], people: null, isReady: false });
    expect((await desk.request('/desk/data/people.csv')).status).toBe(422);
    const { status, answer } = await desk.change<Refused>('person', { id: 'U1', uid: 'ann', by: 'Ana' });
    expect([status, answer.error.message]).toEqual([422, 'People are known after a plan']);
  });

  it('get uids, which the next plan gives them, and the report says who decided that', async () => {
    const { ask, change, ran, text, decisions } = await planned();
    const page = await ask<PeoplePage>('people');
    expect([page.isReady, page.rows.length]).toEqual([true, page.people]);
    const [first, second] = page.rows.filter(({ isKnown }) => isKnown);
    expect(first!.messages).toBeGreaterThanOrEqual(second!.messages);
    const changed = await change<ChangedPerson>('person', { id: first!.id, uid: 'ann', by: ' Ana ' });
    expect([changed.status, changed.answer]).toEqual([
      200,
      { ...first, uid: 'ann', setBy: 'table', version: expect.any(String) },
    ]);
    expect(ofFiles(changed.answer.version)).toBe(ofFiles((await ask<DeskState>('state')).version));
    const removed = await change<ChangedPerson>('person', { id: second!.id, uid: 'ben', by: 'Ben' });
    expect(removed.status).toBe(200);
    await change('person', { id: second!.id, uid: null, by: 'Ben' });
    expect(text('chatferry.mapping.yaml')).toContain('lookup: { file: chatferry.people.csv, id: id, uid: uid }');
    expect(decisions().map(({ by, answer, before }) => [by, answer, before])).toEqual([
      ['Ana', 'ann', null],
      ['Ben', 'ben', null],
      ['Ben', 'the template decides', 'ben'],
    ]);
    expect(decisions()[0]!.key).toBe(`people.uids.${first!.id}`);
    await ran({ kind: 'plan' });
    const found = await ask<PeoplePage>('people?search=ANN&only=set');
    expect(found.rows.map(({ id, uid }) => [id, uid])).toEqual([[first!.id, 'ann']]);
    const { report } = await ask<ReportView>('report?of=plan');
    expect(report!.answers!.map(({ holds }) => holds)).toEqual([true, false, null]);
  });

  it('are done once a person has looked through them, and open again if a plan has others', async () => {
    const { ask, change, ran, decisions } = await planned();
    const step = async () => (await ask<DeskState>('state')).steps.find((one) => one.step === 'people');
    expect(await step()).toMatchObject({ status: 'open' });
    expect((await change('people-seen', { by: ' ' })).status).toBe(400);
    expect((await change('people-seen', { by: 'Ana' })).status).toBe(200);
    expect(await step()).toMatchObject({ status: 'done', note: 'seen by Ana' });
    expect(decisions()).toMatchObject([{ key: 'people-seen', by: 'Ana' }]);
    expect((await ask<ReportView>('report')).report!.answers).toMatchObject([{ holds: null }]);
    const [one, other] = (await ask<PeoplePage>('people')).rows.filter(({ isKnown }) => isKnown);
    await change('merge', { ids: [one!.id, other!.id], by: 'Ana' });
    expect(await ran({ kind: 'plan' })).toMatchObject({ outcome: 'Done' });
    expect(await step()).toMatchObject({ status: 'open', note: 'people have changed' });
  });

  it('are written as the table of the terminal, and taken back from there', async () => {
    const { ask, change, ran, request, put, text, folder, decisions } = await planned();
    const { rows } = await ask<PeoplePage>('people');
    await change('person', { id: rows[0]!.id, uid: 'ann', by: 'Ana' });
    const answer = await request('/desk/data/people.csv');
    expect(answer.headers.get('content-disposition')).toBe('attachment; filename="chatferry.people.csv"');
    const table = await answer.text();
    expect(table).toBe(text('chatferry.people.csv').replace('\ufeff', ''));
    const { version } = await ask<DeskState>('state');
    const path = `people.csv?version=${version}&by=Cleo`;
    const faulty = await put(path, table.replace('"ann"', '"Not A Uid"'));
    expect([faulty.status, await faulty.json()]).toEqual([
      200,
      expect.objectContaining({
        set: 0,
        faultCount: 1,
        faults: [expect.stringMatching(/^chatferry\.people\.csv:\d+: /)],
      }),
    ]);
    expect(decisions()).toHaveLength(1);
    const given = await put(path, `${table.replace('"ann"', '"bea"')}U999,,,,,zoe,\r\n`);
    const imported = (await given.json()) as ImportedPeople;
    expect(imported).toMatchObject({ set: 2, changed: 2, cleared: 0, unmatched: 1, shared: 0, faults: [] });
    expect(decisions().at(-1)).toMatchObject({ by: 'Cleo', key: 'chatferry.people.csv' });
    expect((await put(path, table)).status).toBe(409);
    for (const wrong of ['people.csv?version=1', 'people.csv'])
      expect([wrong, (await put(wrong, table)).status]).toEqual([wrong, 400]);
    expect((await put(`people.csv?version=${imported.version}&by=Cleo`, '[]', 'application/json')).status).toBe(400);
    expect(await ran({ kind: 'plan' })).toMatchObject({ outcome: 'Done' });
    // The terminal goes on where the page stopped.
    const out = ['--out', 'chatferry.people.csv', '--force'];
    expect((await run(['people', ...out, '--mapping', 'chatferry.mapping.yaml'], { folder })).code).toBe(0);
    expect(text('chatferry.people.csv').match(/"(?:bea|zoe)"/g)).toEqual(['"bea"', '"bea"', '"zoe"']);
    expect((await ask<PeoplePage>('people?only=set')).rows.map(({ uid }) => uid)).toEqual(['bea']);
  });

  it('that may be one person are shown, and are merged by a person alone', async () => {
    const { ask, change, ran, text, decisions } = await planned();
    const { rows } = await ask<PeoplePage>('people');
    for (const by of ['email', 'name', 'handle'])
      expect(await ask<DuplicatePage>(`duplicates?by=${by}`)).toMatchObject({ next: null });
    const [one, other] = rows.filter(({ isKnown }) => isKnown);
    const ids = [one!.id, other!.id];
    const { status, answer } = await change<MergedPeople>('merge', { ids, by: 'Ana' });
    expect(status).toBe(200);
    expect(answer.written).toEqual(['chatferry.mapping.yaml']);
    expect(answer.command).toContain(`--set 'people.merge=[[${ids.join(', ')}]]'`);
    expect(text('chatferry.mapping.yaml')).toContain(`merge: [[${ids.join(', ')}]]`);
    expect(decisions()).toMatchObject([{ key: 'people.merge', answer: `[[${ids.join(', ')}]]`, by: 'Ana' }]);
    const merged = (await ask<PeoplePage>('people')).rows.find(({ id }) => id === other!.id);
    expect(merged).toMatchObject({ setBy: 'merged', mergedInto: one!.id });
    expect(await ran({ kind: 'plan' })).toMatchObject({ outcome: 'Done' });
    expect((await ask<PeoplePage>('people')).people).toBe(rows.length - 1);
    expect((await ask<ReportView>('report')).report!.answers).toMatchObject([{ holds: true }]);
  });

  it('are not changed by what is no decision of the page, nor after the files have changed', async () => {
    const { ask, change, send, folder } = await planned();
    const { version, rows } = await ask<PeoplePage>('people');
    const { id } = rows[0]!;
    for (const body of [
      { id, uid: 'ann', by: '' },
      { id, uid: 'ann' },
      { id, by: 'Ana' },
      { id, uid: 'ann', by: 'Ana', more: 1 },
      { id: 7, uid: 'ann', by: 'Ana' },
    ])
      expect([body, (await change('person', body)).status]).toEqual([body, 400]);
    for (const ids of [[id], [id, id], Array.from({ length: 11 }, (_, index) => `U${index}`), 'U1'])
      expect([ids, (await change('merge', { ids, by: 'Ana' })).status]).toEqual([ids, 400]);
    for (const [uid, who] of [
      ['Ann', id],
      ['ann', 'U999'],
      ['ann', '__proto__'],
    ])
      expect([uid, (await change('person', { id: who, uid, by: 'Ana' })).status]).toEqual([uid, 422]);
    writeFileSync(join(folder, 'chatferry.decisions.json'), '{');
    expect((await send('person', JSON.stringify({ version, id, uid: 'ann', by: 'Ana' }))).status).toBe(409);
    // A decision that cannot be noted is not made.
    const { status, answer } = await change<Refused>('person', { id, uid: 'ann', by: 'Ana' });
    expect([status, answer.error.message]).toEqual([422, expect.stringContaining('chatferry.decisions.json')]);
    expect((await ask<PeoplePage>('people?only=set')).rows).toEqual([]);
  });

  it('are changed by one page at a time: what another changed meanwhile is not overwritten unseen', async () => {
    const { ask, send } = await planned();
    const { version, rows } = await ask<PeoplePage>('people');
    const set = (uid: string) => send('person', JSON.stringify({ version, id: rows[0]!.id, uid, by: 'Ana' }));
    const statuses = (await Promise.all([set('one'), set('two')])).map(({ status }) => status);
    expect(statuses).toEqual([200, 409]);
    expect((await ask<PeoplePage>('people?only=set')).rows.map(({ uid }) => uid)).toEqual(['one']);
  });
});
