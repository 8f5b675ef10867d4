import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { planExport } from '../../src/commands/prepare.ts';
import { inTurn } from '../../src/lib/file-lock.ts';
import { addDecisions, readDecisions, signOff } from '../../src/report/decision-log.ts';
import { renderHtml } from '../../src/report/html.ts';
import { renderMarkdown } from '../../src/report/markdown.ts';
import { sessionRequest } from '../scenes/session-request.ts';
import { temporaryFolder } from '../scenes/temporary-folder.ts';
import { channel, person, says, writeRecords } from '../scenes/write-records.ts';
import { finishedImport } from './fixture.ts';

const home = temporaryFolder();
const at = '2026-03-01T12:00:00+01:00';
const atMs = Date.UTC(2026, 2, 1, 11);

async function planned(folder: string, mapping: string) {
  const from = [writeRecords(join(folder, 'export.ndjson'), [person('U1'), channel('C1'), says(1, 'C1', 'U1', 'hi')])];
  const { report } = await planExport(await sessionRequest(folder, { from, mapping, allowMappingChange: true }));
  return report;
}

const write = (folder: string, log: unknown) =>
  writeFileSync(join(folder, 'chatferry.decisions.json'), typeof log === 'string' ? log : JSON.stringify(log));

const mapping = 'people: { bots: skip, uids: { U1: ann } }\nmessages: { textCharsMax: 5000 }\n';

describe('the decisions of a report', () => {
  it('are those of the file next to the store, with whether the latest plan has them so', async () => {
    const folder = home.make();
    const decided = (key: string, answer: string) => ({ key, answer, by: 'Ana', at });
    const decisions = [
      { ...decided('people.bots', 'skip'), before: 'keep', about: 'Bots: Leave out <their> messages' },
      decided('people.guests', 'skip'),
      decided('people.uids', '{ U1: ann }'),
      decided('people.uids.U1', 'bob'),
      decided('messages.textCharsMax', '5000'),
      decided('author-not-described', 'Leave it as it is'),
      decided('source.messages.kind', 'system'),
    ];
    write(folder, { version: 1, decisions });
    const report = await planned(folder, mapping);
    expect(report.answers?.map(({ key, holds }) => [key, holds])).toEqual([
      ['people.bots', true],
      ['people.guests', false],
      ['people.uids', true],
      ['people.uids.U1', false],
      ['messages.textCharsMax', true],
      ['author-not-described', null],
      ['source.messages.kind', null],
    ]);
    expect(report.answers?.[0]).toEqual({
      ...{ key: 'people.bots', answer: 'skip', before: 'keep', by: 'Ana', atMs, holds: true },
      about: 'Bots: Leave out <their> messages',
    });
    expect(renderHtml(report)).toContain('Bots: Leave out &lt;their&gt; messages');
    expect(report).not.toHaveProperty('signedOff');
    expect(report).not.toHaveProperty('answersFault');
  });

  it('about a uid hold if the plan gave it, whether the mapping or its table says so', async () => {
    const folder = home.make();
    const decided = (key: string, answer: string) => ({ key, answer, by: 'Ana', at });
    const uids = ['U1', '"a.b"', 'constructor', '__proto__'].map((id) => decided(`people.uids.${id}`, 'ann'));
    write(folder, { version: 1, decisions: [...uids, decided('people.uids.U1', 'the template makes it')] });
    const people = [person('U1'), person('a.b'), person('constructor')];
    const from = [writeRecords(join(folder, 'export.ndjson'), [...people, channel('C1'), says(1, 'C1', 'U1', 'hi')])];
    writeFileSync(join(folder, 'people.csv'), 'id,uid\nU1,ann\n');
    const text = 'people: { uids: { a.b: ann2 }, lookup: { file: people.csv, id: id, uid: uid } }';
    const { report } = await planExport(await sessionRequest(folder, { from, mapping: text }));
    expect(report.answers?.map(({ holds }) => holds)).toEqual([true, false, false, null, null]);
  });

  it('about people who are one hold as long as they are, whoever joins them', async () => {
    const folder = home.make();
    const merge = (answer: string) => ({ key: 'people.merge', answer, by: 'Ana', at });
    write(folder, { version: 1, decisions: ['[[U1, U2]]', '[[U1, U4]]', '[]', 'no one'].map(merge) });
    const report = await planned(folder, 'people: { merge: [[U3, U1, U2]] }');
    expect(report.answers?.map(({ holds }) => holds)).toEqual([true, false, false, false]);
  });

  it('say whether the plan is the one that was signed off', async () => {
    const folder = home.make();
    const { pins } = await planned(folder, mapping);
    write(folder, { version: 1, signedOff: { by: 'Ana', note: 'Looks right', at, pins } });
    const signed = await planned(folder, mapping);
    expect(signed.signedOff).toEqual({ by: 'Ana', note: 'Looks right', atMs, isCurrent: true });
    const elsewhere = { by: 'Ana', at, pins: { ...pins, profile: 'of another destination' } };
    const { planned: taken, skipped, invalid } = signed.totals;
    for (const [totals, isCurrent] of [
      [{ planned: taken, skipped, invalid }, true],
      [{ planned: taken - 1, skipped, invalid: invalid + 1 }, false],
      [undefined, false],
    ] as const) {
      write(folder, { version: 1, signedOff: { ...elsewhere, totals } });
      expect((await planned(folder, mapping)).signedOff).toMatchObject({ isCurrent });
    }
    const changed = await planned(folder, 'people: { bots: keep, uids: { U1: ann } }');
    expect(changed.signedOff).toMatchObject({ isCurrent: false });
  });

  it('are absent without the file, and at most the latest 500', async () => {
    const folder = home.make();
    const report = await planned(folder, mapping);
    for (const key of ['answers', 'answersFault', 'signedOff']) expect(report).not.toHaveProperty(key);
    const many = Array.from({ length: 600 }, (_, index) => ({ key: 'ids', answer: String(index), by: 'Ana', at }));
    write(folder, { version: 1, decisions: many });
    const { answers } = await planned(folder, mapping);
    expect([answers?.length, answers?.[0]?.answer, answers?.at(-1)?.answer]).toEqual([500, '100', '599']);
  });

  it.each([
    ['{', /^Cannot read "chatferry.decisions.json": .*JSON/],
    [{ version: 2 }, /^Cannot read "chatferry.decisions.json": version: /],
    [{ version: 1, decisions: [{ key: 'ids', answer: 'x', by: 'Ana', at: 'today' }] }, /: decisions\.0\.at: /],
  ])('name a file that cannot be used, and the run does not end: %j', async (log, fault) => {
    const folder = home.make();
    write(folder, log);
    const report = await planned(folder, mapping);
    expect(report.answersFault).toMatch(fault);
    expect(renderHtml(report)).toContain('chatferry.decisions.json');
    expect(renderMarkdown(report)).toContain('Decisions');
  });

  it('are a section of the page and of Markdown', () => {
    const report = finishedImport({
      answers: [
        { key: 'people.bots', answer: 'skip', before: 'keep', by: 'Ana <b>', atMs, holds: true },
        { key: 'people.guests', answer: 'skip', before: null, by: 'Ben', atMs, holds: false },
      ],
      signedOff: { by: 'Ana', note: 'Looks right', atMs, isCurrent: false },
    });
    const page = renderHtml(report);
    expect(page).toContain('<h2 id="decided-title">Decisions</h2>');
    expect(page).toContain('Ana &lt;b&gt;');
    const signed = 'Signed off by Ana, 2026-03-01 11:00 UTC: Looks right. The plan changed since.';
    for (const text of [page, renderMarkdown(report)]) expect(text).toContain(signed);
    expect(renderMarkdown(report)).toContain(
      '| `people.guests` | `skip` | – | Ben | 2026-03-01 11:00 UTC | otherwise: the mapping changed since |',
    );
    expect(renderHtml(finishedImport())).not.toContain('decided-title');
  });
});

describe('addDecisions()', () => {
  const decision = { key: 'people.bots', answer: 'skip', before: null, by: 'Ana', atMs };

  it('begins the file next to the store, and adds to it; reports show what it adds', async () => {
    const folder = home.make();
    const store = join(folder, 'chatferry.db');
    expect(readDecisions(store)).toEqual([]);
    addDecisions(store, [{ ...decision, card: 'author-not-described' }]);
    addDecisions(store, [{ ...decision, by: 'Ben', before: 'skip', answer: 'keep' }]);
    expect(readDecisions(store)).toEqual([
      { ...decision, card: 'author-not-described' },
      { ...decision, by: 'Ben', before: 'skip', answer: 'keep' },
    ]);
    expect(readdirSync(folder)).toEqual(['chatferry.decisions.json', 'chatferry.decisions.json.lock']);
    const { answers } = await planned(folder, mapping);
    expect(answers).toEqual([
      { ...decision, holds: true },
      { ...decision, by: 'Ben', before: 'skip', answer: 'keep', holds: false },
    ]);
  });

  it('says who has the file, or what is wrong with its lock, instead of asking to correct the file', () => {
    const folder = home.make();
    const path = join(folder, 'chatferry.decisions.json');
    expect(() => inTurn(path, () => inTurn(path, () => 'never', 1))).toThrow(/another process is writing to it/);
    mkdirSync(join(folder, 'locked.decisions.json.lock'));
    expect(() => addDecisions(join(folder, 'locked.db'), [decision])).toThrow(
      expect.objectContaining({ name: 'UsageError', hint: expect.stringContaining('folder') }),
    );
  });

  it('keeps everything else that is in the file', () => {
    const folder = home.make();
    const signedOff = { by: 'Ana', at, pins: { export: 'a', mapping: 'b', profile: 'c' }, own: [1] };
    const earlier = { key: 'ids', answer: 'x', by: 'Ana', at, own: { deep: true } };
    write(folder, { version: 1, own: 'words', decisions: [earlier], signedOff });
    addDecisions(join(folder, 'chatferry.db'), [decision]);
    const { atMs: _, ...logged } = decision;
    expect(JSON.parse(readFileSync(join(folder, 'chatferry.decisions.json'), 'utf8'))).toEqual({
      ...{ version: 1, own: 'words', signedOff },
      decisions: [earlier, { ...logged, at: new Date(atMs).toISOString() }],
    });
  });

  it.each(['{', '{"version":2}', '[]'])('refuses a file that it cannot use, and leaves it as it is: %s', (text) => {
    const folder = home.make();
    write(folder, text);
    const store = join(folder, 'chatferry.db');
    expect(() => addDecisions(store, [decision])).toThrow(/^Cannot write ".*chatferry\.decisions\.json": /);
    expect(() => readDecisions(store)).toThrow(/^Cannot read /);
    expect(readFileSync(join(folder, 'chatferry.decisions.json'), 'utf8')).toBe(text);
  });
});

describe('signOff()', () => {
  const signature = { by: 'Ana', note: 'Looks right', atMs };

  it('signs the plan, in place of an earlier signature, and keeps the decisions', async () => {
    const folder = home.make();
    const store = join(folder, 'chatferry.db');
    const { pins, totals } = await planned(folder, mapping);
    addDecisions(store, [{ key: 'people.bots', answer: 'skip', before: null, by: 'Ana', atMs }]);
    signOff(store, { ...signature, totals, pins: pins! });
    signOff(store, { ...signature, by: 'Ben', note: '', totals, pins: pins! });
    const signed = await planned(folder, mapping);
    expect(signed.signedOff).toEqual({ by: 'Ben', note: '', atMs, isCurrent: true });
    expect(signed.answers).toHaveLength(1);
    const changed = await planned(folder, 'people: { bots: keep }');
    expect(changed.signedOff).toEqual({ by: 'Ben', note: '', atMs, isCurrent: false });
  });

  it('refuses a file that it cannot use', () => {
    const folder = home.make();
    write(folder, '{');
    const plan = { pins: { export: 'a', mapping: 'b', profile: 'c' }, totals: { planned: 1, skipped: 0, invalid: 0 } };
    expect(() => signOff(join(folder, 'chatferry.db'), { ...signature, ...plan })).toThrow(/^Cannot write /);
  });
});
