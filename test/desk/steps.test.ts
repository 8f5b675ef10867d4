import { describe, expect, it } from 'vitest';
import { findNextStep, type StepFacts, listSteps } from '../../src/desk/files/steps.ts';
import type { ReportData } from '../../src/report/report-data.ts';
import { dryRun, finishedImport } from '../report/fixture.ts';

const pins = { export: 'e1', mapping: 'm1', profile: 'p1' };
const plan: ReportData = { ...dryRun(), pins };
const sandbox = { name: 'sandbox', profile: 'sandbox' };
const imported: ReportData = { ...finishedImport(), pins };
const { unverified: _, ...arrived } = {
  ...imported,
  totals: { ...imported.totals, failed: 0, pending: 0, unconfirmed: 0 },
};
const takenBack: ReportData = {
  ...arrived,
  ...{ command: 'undo', verify: null },
  totals: { ...arrived.totals, imported: 0, existing: 0, pending: arrived.totals.planned },
};
const rehearsal: ReportData = { ...arrived, destination: sandbox };
const signedOff = { by: 'Ana', note: '', atMs: 1, isCurrent: true };

const nothing: StepFacts = {
  ...{ source: null, isCounted: false, open: null, plan: null },
  ...{ isPlanCurrent: true, rehearsal: null, peopleSeen: null },
};
const read: StepFacts = { ...nothing, source: 'Slack export', isCounted: true, open: 0 };
const planned: StepFacts = { ...read, plan };
const seen: StepFacts = { ...planned, peopleSeen: { by: 'Ana', count: plan.people.total } };
const stops = ['Nobody has confirmed yet how the rows are read.'];
const reading = { digest: 'd1', state: 'proposed' as const, by: null, at: null, stops, news: [], picture: [] };
const unconfirmed: StepFacts = { ...seen, plan: { ...plan, reading } };
const rehearsed: StepFacts = { ...seen, rehearsal };
const signed: StepFacts = { ...rehearsed, plan: { ...plan, signedOff } };

describe('listSteps()', () => {
  it.each<[string, StepFacts, string, string]>([
    ['an empty folder', nothing, 'open waiting waiting waiting waiting waiting', 'source'],
    [
      'an export that is not counted yet',
      { ...read, isCounted: false, open: null },
      'done waiting open waiting waiting waiting',
      'decide',
    ],
    ['open questions', { ...read, open: 3 }, 'done done open waiting waiting waiting', 'decide'],
    ['nothing to decide', read, 'done done waiting waiting open waiting', 'rehearse'],
    ['a plan', planned, 'done done done open open open', 'people'],
    ['people who were looked through', seen, 'done done done done open open', 'rehearse'],
    [
      'other people than were looked through',
      { ...seen, peopleSeen: { by: 'Ana', count: plan.people.total + 1 } },
      'done done done open open open',
      'people',
    ],
    [
      'a plan without people',
      { ...planned, plan: { ...plan, people: { ...plan.people, total: 0 } } },
      'done done done done open open',
      'rehearse',
    ],
    [
      'a plan whose reading nobody has confirmed',
      { ...unconfirmed, open: 1 },
      'done done open done waiting waiting',
      'decide',
    ],
    ['an alarm that was answered since', unconfirmed, 'done done done done open waiting', 'rehearse'],
    ['a rehearsal', rehearsed, 'done done done done done open', 'go'],
    [
      'a rehearsal of another mapping',
      { ...rehearsed, rehearsal: { ...rehearsal, pins: { ...pins, mapping: 'm2' } } },
      'done done done done open open',
      'rehearse',
    ],
    [
      'a rehearsal of the same under other limits',
      { ...rehearsed, rehearsal: { ...rehearsal, pins: { ...pins, profile: 'p2' } } },
      'done done done done done open',
      'go',
    ],
    [
      'a rehearsal that did not end',
      { ...rehearsed, rehearsal: { ...rehearsal, totals: { ...rehearsal.totals, pending: 1 } } },
      'done done done done open open',
      'rehearse',
    ],
    [
      'answers that have changed since the plan was signed',
      { ...signed, isPlanCurrent: false },
      'done done done done open open',
      'rehearse',
    ],
    ['a signature', signed, 'done done done done done open', 'go'],
    ['an import that arrived', { ...signed, plan: { ...arrived, signedOff } }, 'done done done done done done', 'go'],
    [
      'an import that was taken back',
      { ...signed, plan: { ...takenBack, signedOff } },
      'done done done done done open',
      'go',
    ],
    [
      'an import into the sandbox of the store',
      { ...signed, plan: { ...arrived, signedOff, destination: sandbox } },
      'done done done done done open',
      'go',
    ],
    [
      'an import that was not read back',
      { ...signed, plan: { ...arrived, signedOff, verify: null } },
      'done done done done done open',
      'go',
    ],
  ])('derives the steps from %s', (_, facts, statuses, next) => {
    const steps = listSteps(facts);
    expect([steps.map(({ status }) => status).join(' '), findNextStep(steps)]).toEqual([statuses, next]);
  });

  it('says what is left, and what has changed', () => {
    const notes = (facts: StepFacts) =>
      listSteps(facts).flatMap(({ step, note }) => (note === '' ? [] : [[step, note]]));
    expect(notes({ ...read, open: 1_200 })).toEqual([
      ['source', 'Slack export'],
      ['decide', '1,200 to decide'],
    ]);
    expect(notes(signed)).toEqual([
      ['source', 'Slack export'],
      ['people', 'seen by Ana'],
      ['go', 'signed by Ana'],
    ]);
    const changed = { ...signed, plan: { ...plan, signedOff: { ...signedOff, isCurrent: false } } };
    expect(notes(changed)).toContainEqual(['go', 'the plan has changed']);
  });
});
