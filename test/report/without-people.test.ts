import { describe, expect, it } from 'vitest';
import { renderHtml } from '../../src/report/html.ts';
import { renderJson } from '../../src/report/report-files.ts';
import { renderMarkdown } from '../../src/report/markdown.ts';
import type { ReportData } from '../../src/report/report-data.ts';
import { withoutPeople } from '../../src/report/without-people.ts';
import { renderSummary } from '../../src/report/terminal.ts';
import { troubledImport } from './fixture.ts';

/**
 * Texts of a report that name no person, by their paths. A text that is not here gets a token, which must not be in an anonymous report: so a
 * new field counts as personal until it is added.
 */
const impersonal = [
  ...['chatferryVersion', 'command', 'runId', 'source', 'store', 'destination.name', 'destination.profile'],
  ...['skipped', 'invalid', 'failed', 'problems'].flatMap((list) =>
    ['code', 'severity', 'title', 'inShort', 'explanation', 'remedy'].map((key) => `${list}.#.${key}`),
  ),
  ...['id', 'question', 'why', 'about.of', 'options.#.does', 'options.#.because', 'ifUndecided.sends'].map(
    (key) => `decisions.#.${key}`,
  ),
  ...['decisions.#.options.#.effect.runs', 'decisions.#.options.#.effect.sets.messages.attachments'],
  ...['answers.#.key', 'answers.#.by', 'signedOff.by', 'signedOff.note', 'losses.#.name'],
  ...['losses.#.what', 'losses.#.becomes', 'losses.#.group', 'ignored.#.reason'],
  ...['months.#.month', 'days.#.day', 'contents.#.name', 'attachmentHosts.#.host'],
  ...['pins.export', 'pins.mapping', 'pins.profile', 'changedSince.#'],
  ...['media.hosts.#.host', 'media.settled.#', 'media.faults.#.state', 'verify.sample.seed', 'stopped.code'],
  ...['actions.failed.#.kind', 'actions.failed.#.code', 'actions.failed.#.explanation'],
  ...['drift.changes.#.kind', 'drift.changes.#.policy'],
];

const token = 'PERSONAL';

function marked(value: unknown, path: readonly string[] = []): unknown {
  if (typeof value === 'string') return impersonal.includes(path.join('.')) ? value : `group ${token} ${value}`;
  if (Array.isArray(value)) return value.map((item) => marked(item, [...path, '#']));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, marked(inner, [...path, key])]));
}

/** A report in which every optional field is filled, and every text that may be personal has the token. */
function full(): ReportData {
  const report = troubledImport();
  const [problem] = report.problems;
  const example = { location: 'general/1.json#/3', detail: 'Ann wrote it', excerpt: '{"text":"hello"}' };
  return marked({
    ...report,
    workspace: 'T1',
    exports: ['a.zip', 'b.zip'],
    problems: [{ ...problem!, examples: [example] }],
    losses: report.losses.map((loss) => ({ ...loss, example: 'general/1.json#/3' })),
    ignored: [{ reason: 'holds no messages', count: 2, example: 'ann.vcf' }],
    rowsRead: [{ place: 'a.csv:2', row: [{ column: 'who', value: 'Ann' }], message: [{ part: 'text', text: 'hi' }] }],
    answers: [{ key: 'people.uids.U1', answer: 'ann', before: 'u1', by: 'Ana', atMs: 1, holds: true }],
    answersFault: 'Cannot read "ann.decisions.json"',
    signedOff: { by: 'Ana', note: 'Looks right', atMs: 1, isCurrent: true },
    days: [{ day: '2016-03-02', count: 3 }],
    verify: { ...report.verify!, only: 'from:ann', sample: { messages: 1, of: 2, conversations: 1, seed: 's' } },
    differingConversations: [
      { id: 'C1', name: 'general', same: 1, missing: 1, extra: 0, different: 0, duplicated: 0, foreign: 0 },
    ],
    actions: {
      kinds: {},
      failed: [{ kind: 'friends', code: 'E', count: 1, explanation: 'No.', detail: 'ann and bob' }],
      forecast: { requests: 1, minutes: null },
    },
    drift: {
      kinds: { edited: 1 },
      noticed: {},
      changes: [{ kind: 'edited', policy: 'report', count: 1, examples: [{ location: 'a#/1', detail: 'message m' }] }],
    },
    stopped: { code: 'TOO_MANY', message: 'Ann was refused', hint: 'Ask Ann', goOn: ['--only from:ann'] },
  }) as ReportData;
}

describe('withoutPeople()', () => {
  const forms = {
    html: renderHtml,
    markdown: renderMarkdown,
    json: renderJson,
    summary: (data: ReportData) => renderSummary(data, { columns: 100, color: false }),
  };

  it.each(Object.entries(forms))('withoutPeople() leaves nothing personal in %s', (_, render) => {
    expect(render(full())).toContain(token);
    expect(render(withoutPeople(full()))).not.toContain(token);
    expect(render(withoutPeople(full()))).toContain(renderIsAnonymous(render));
  });

  it('withoutPeople() keeps counts, codes, hosts, times and digests, and numbers conversations', () => {
    const report = full();
    const anonymous = withoutPeople(report);
    expect(anonymous).toMatchObject({
      totals: report.totals,
      months: report.months,
      pins: report.pins,
      attachmentHosts: report.attachmentHosts,
      exports: ['2 exports'],
      differingConversations: [{ id: String(report.conversations.length + 1), missing: 1 }],
      stopped: { code: 'TOO_MANY' },
    });
    expect(anonymous.conversations.map(({ id, planned, target }) => [id, planned, target])).toEqual(
      report.conversations.map(({ planned }, index) => [String(index + 1), planned, 'group']),
    );
    expect(anonymous.problems[0]).toEqual({ ...report.problems[0], examples: [] });
  });

  it('withoutPeople() keeps who decided, and answers that are words of ours', () => {
    const decided = (key: string, answer: string) => ({ key, answer, before: 'keep', by: 'Ana', atMs: 1, holds: true });
    const answers = [
      decided('people.bots', 'skip'),
      { ...decided('people.uids."u.1"', 'ann'), about: 'Ann' },
      decided('conversations', '{ rename: { C1: Ann and Bob } }'),
      decided('messages.edited', 'skip'),
    ];
    const left = { before: 'left out', answer: 'left out' };
    expect(withoutPeople({ ...full(), answers }).answers).toEqual([
      answers[0],
      { ...decided('people.uids', ''), ...left },
      { ...answers[2], ...left, key: 'conversations' },
      answers[3],
    ]);
  });

  it('withoutPeople() hides the path of a sandbox, which may name a user of this machine', () => {
    const destination = { name: 'sandbox (/srv/ann/chatferry.sandbox.db)', profile: 'sandbox' };
    expect(withoutPeople({ ...full(), destination }).destination).toEqual({ name: 'sandbox', profile: 'sandbox' });
    expect(withoutPeople({ ...full(), destination: null }).destination).toBeNull();
  });
});

/** Words that say so in each form. */
const renderIsAnonymous = (render: (data: ReportData) => string): string =>
  render === renderJson ? '"anonymous": true' : 'Names, texts and locations are left out of this report';
