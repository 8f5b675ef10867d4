import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { DeskError, DeskState, PeoplePage, ReportView } from '../../src/desk/shapes.ts';
import { openDesk } from '../cli/desk-scene.ts';
import { run } from '../cli/in-process.ts';
import { temporaryFolder } from '../scenes/temporary-folder.ts';

const home = temporaryFolder();
const slack = join(import.meta.dirname, '../../samples/slack/every-feature/export');

async function planned() {
  const folder = home.make();
  expect(await run(['plan', slack], { folder })).toMatchObject({ code: 0 });
  const desk = await openDesk([slack], folder);
  const goStep = async () => (await desk.ask<DeskState>('state')).steps.find(({ step }) => step === 'go');
  const text = (name: string) => readFileSync(join(folder, name), 'utf8');
  return { ...desk, folder, text, goStep };
}

type Refused = { readonly error: DeskError };

describe('the report of the desk', () => {
  it('is none before a plan, and then that of the plan; there is none of a rehearsal', async () => {
    const folder = home.make();
    const { ask, request, change } = await openDesk([slack], folder);
    expect(await ask<ReportView>('report')).toMatchObject({ of: 'plan', report: null, isCurrent: false });
    expect((await request('/desk/data/report.html')).status).toBe(422);
    const { status, answer } = await change<Refused>('sign-off', { by: 'Ana', note: '' });
    expect([status, answer.error.message]).toEqual([422, 'There is no report yet']);
    expect(await run(['plan', slack], { folder })).toMatchObject({ code: 0 });
    expect(await ask<ReportView>('report?of=plan')).toMatchObject({
      ...{ of: 'plan', isCurrent: true, error: null },
      verdict: expect.stringMatching(/^Dry run, nothing was sent: \d+ messages are ready to go$/),
      report: { source: 'slack', command: 'plan' },
    });
    expect(await ask<ReportView>('report?of=rehearsal')).toMatchObject({ of: 'rehearsal', report: null });
  });

  it('is that of a rehearsal until another plan takes its place', async () => {
    const { ask, ran, folder } = await planned();
    expect(await ran({ kind: 'rehearse' })).toMatchObject({ outcome: 'Done' });
    const rehearsal = () => ask<ReportView>('report?of=rehearsal');
    expect(await rehearsal()).toMatchObject({ tone: 'notice', isCurrent: true, report: { command: 'import' } });
    writeFileSync(join(folder, 'chatferry.mapping.yaml'), 'people: { bots: skip }\n');
    expect(await run(['plan', slack, '--mapping', 'chatferry.mapping.yaml'], { folder })).toMatchObject({ code: 0 });
    expect(await rehearsal()).toMatchObject({ isCurrent: false });
  });

  it('is out of date once the mapping says something else, whenever it was written', async () => {
    const folder = home.make();
    const write = (text: string) => writeFileSync(join(folder, 'own.yaml'), text);
    write('people: { bots: keep }\n');
    expect(await run(['plan', slack, '--mapping', 'own.yaml'], { folder })).toMatchObject({ code: 0 });
    const { ask, change } = await openDesk([slack, '--mapping', 'own.yaml'], folder);
    const isCurrent = async () => (await ask<ReportView>('report')).isCurrent;
    write('# Other words.\npeople: { bots: keep }\n');
    expect(await isCurrent()).toBe(true);
    write('people: { bots: skip }\n');
    // A report that is written again says nothing of the mapping.
    expect(await run(['report'], { folder })).toMatchObject({ code: 0 });
    expect(await isCurrent()).toBe(false);
    const { status, answer } = await change<Refused>('sign-off', { by: 'Ana', note: '' });
    expect([status, answer.error]).toMatchObject([422, { message: expect.stringMatching(/changed since the plan$/) }]);
    write('people: { bots: [\n');
    expect(await isCurrent()).toBe(false);
  });

  it('is one file to pass on, without people unless they are wanted', async () => {
    const { request, change, ask } = await planned();
    const [{ id, name }] = (await ask<PeoplePage>('people')).rows as [PeoplePage['rows'][number]];
    await change('person', { id, uid: 'uid-of-person', by: 'Ana' });
    const page = async (anonymous: string) => {
      const answer = await request(`/desk/data/report.html${anonymous}`);
      expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
      expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
      return { file: answer.headers.get('content-disposition'), text: await answer.text() };
    };
    const whole = await page('?anonymous=0');
    expect(whole.file).toBe('attachment; filename="chatferry-report.html"');
    for (const words of [name, 'uid-of-person', `people.uids.${id}`, 'Ana']) expect(whole.text).toContain(words);
    for (const query of ['?anonymous=1', '']) {
      const without = await page(query);
      expect(without.file).toBe('attachment; filename="chatferry-report-anonymous.html"');
      for (const words of [`>${name}<`, 'uid-of-person', id]) expect(without.text).not.toContain(words);
      // The signature stays.
      expect(without.text).toContain('Ana');
    }
  });
});

describe('signing off', () => {
  it('is a signature under this plan: the report has it, and a changed plan has none', async () => {
    const { ask, change, ran, text, goStep } = await planned();
    expect(await goStep()).toMatchObject({ status: 'open', note: '' });
    const { status, answer } = await change<ReportView>('sign-off', { by: ' Ana ', note: 'Looks right <b>' });
    expect([status, answer.report!.signedOff]).toEqual([
      200,
      { by: 'Ana', note: 'Looks right <b>', atMs: expect.any(Number), isCurrent: true },
    ]);
    expect(answer).toMatchObject({ of: 'plan', isCurrent: true });
    expect(await goStep()).toEqual({ step: 'go', status: 'open', note: 'signed by Ana' });
    const log = JSON.parse(text('chatferry.decisions.json'));
    expect(log.signedOff).toMatchObject({ by: 'Ana', pins: answer.report!.pins });
    for (const name of ['report.html', 'report.json'])
      expect([name, text(`chatferry.report/${name}`)]).toEqual([name, expect.stringContaining('Looks right')]);
    expect(text('chatferry.report/report.html')).not.toContain('right <b>');
    await ran({ kind: 'plan' });
    expect(await goStep()).toMatchObject({ note: 'signed by Ana' });
    const [{ id }] = (await ask<PeoplePage>('people')).rows as [PeoplePage['rows'][number]];
    await change('person', { id, uid: 'ann', by: 'Ben' });
    await ran({ kind: 'plan' });
    expect(await goStep()).toMatchObject({ status: 'open', note: 'the plan has changed' });
    const { report } = await ask<ReportView>('report');
    expect(report!.signedOff).toMatchObject({ by: 'Ana', isCurrent: false });
    expect(text('chatferry.report/report.html')).toContain('The plan changed since');
    // Another signature takes its place.
    await change('sign-off', { by: 'Cleo', note: '' });
    expect(await goStep()).toEqual({ step: 'go', status: 'open', note: 'signed by Cleo' });
  });

  it('needs a name, and the plan that was seen', async () => {
    const { change, send, ask, goStep, folder } = await planned();
    const { version } = await ask<DeskState>('state');
    for (const body of [
      { by: '', note: '' },
      { by: '  ', note: '' },
      { by: 'A'.repeat(101), note: '' },
      { by: 'Ana', note: 'x'.repeat(1001) },
      { by: 'Ana' },
      { note: '' },
    ])
      expect([body, (await change('sign-off', body)).status]).toEqual([body, 400]);
    writeFileSync(join(folder, 'chatferry.mapping.yaml'), 'people: { bots: skip }\n');
    expect((await send('sign-off', JSON.stringify({ version, by: 'Ana', note: '' }))).status).toBe(409);
    expect(await goStep()).toMatchObject({ note: '' });
  });
});
