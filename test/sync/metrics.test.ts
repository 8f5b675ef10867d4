import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { systemClock } from '../../src/lib/flow/clock.ts';
import { version } from '../../src/lib/version.ts';
import { createMetrics } from '../../src/sync/serve/metrics.ts';
import { anyCharacter } from '../arbitrary-text.ts';
import { failedResult, jobResult, startMs } from './job-result.ts';
import { parseMetrics, sampleOf } from './prometheus-text.ts';

const endSeconds = (startMs + 4_500) / 1000;

function metricsOf(...[past]: Parameters<typeof createMetrics> extends [unknown, ...infer Rest] ? Rest : never) {
  const metrics = createMetrics(systemClock, past);
  metrics.started!(['support']);
  return metrics;
}

describe('createMetrics()', () => {
  it('writes metrics that a Prometheus parser reads, every family with help and type', async () => {
    const metrics = metricsOf();
    metrics.runEnded!(jobResult({ added: { drift: { edited: 2 }, actions: { reactions: 3 } } }));
    metrics.scheduled!('support', startMs + 3_600_000);
    metrics.beat!(startMs);
    const families = parseMetrics(await metrics.render());
    expect(metrics.contentType).toContain('text/plain; version=0.0.4');
    expect(families.length).toBeGreaterThan(20);
    expect(families.filter(({ help, type }) => help === '' || type === 'UNTYPED')).toEqual([]);
    const counters = families.filter(({ type }) => type === 'COUNTER').map(({ name }) => name);
    expect(counters.filter((name) => !name.endsWith('_total'))).toEqual([]);
  });

  it('counts from 0, so that a first failure is an increase', async () => {
    const text = await metricsOf().render();
    expect(sampleOf(text, 'chatferry_jobs')).toBe(1);
    expect(sampleOf(text, 'chatferry_build_info', { version })).toBe(1);
    expect(sampleOf(text, 'chatferry_job_runs_total', { name: 'support', exit: '0' })).toBe(0);
    expect(sampleOf(text, 'chatferry_job_messages_total', { name: 'support', outcome: 'failed' })).toBe(0);
    expect(sampleOf(text, 'chatferry_job_failures_in_a_row', { name: 'support' })).toBe(0);
  });

  it('adds up what runs added', async () => {
    const metrics = metricsOf();
    metrics.runEnded!(jobResult({ added: { drift: { edited: 2, deleted: 1 }, actions: { reactions: 3 } } }));
    const arrivals = { people: { read: 4, imported: 3, failed: 1 } };
    metrics.runEnded!(jobResult({ number: 13, added: { imported: 5, drift: { edited: 1 }, arrivals } }));
    const text = await metrics.render();
    const of = (name: string, labels: Record<string, string> = {}) =>
      sampleOf(text, name, { name: 'support', ...labels });
    expect(of('chatferry_job_messages_total', { outcome: 'imported' })).toBe(15);
    expect(of('chatferry_job_messages_total', { outcome: 'read' })).toBe(24);
    expect(of('chatferry_job_drift_total', { kind: 'edited' })).toBe(3);
    expect(of('chatferry_job_drift_total', { kind: 'deleted' })).toBe(1);
    expect(of('chatferry_job_actions_total', { kind: 'reactions' })).toBe(3);
    expect(of('chatferry_job_arrivals_total', { kind: 'people', outcome: 'imported' })).toBe(3);
    expect(of('chatferry_job_arrivals_total', { kind: 'people', outcome: 'failed' })).toBe(1);
    expect(of('chatferry_job_requests_total', { kind: 'list' })).toBe(6);
    expect(of('chatferry_job_runs_total', { exit: '0' })).toBe(2);
  });

  it('shows how long runs took, as a histogram that adds up', async () => {
    const metrics = metricsOf();
    metrics.runEnded!(jobResult());
    metrics.runEnded!(jobResult({ endedAtMs: startMs + 120_000 }));
    const text = await metrics.render();
    const histogram = parseMetrics(text).find(({ name }) => name === 'chatferry_job_run_duration_seconds');
    expect(histogram?.metrics[0]?.buckets).toMatchObject({ 1: '0', 5: '1', 60: '1', 300: '2', '+Inf': '2' });
    // The parser leaves out the rest of a histogram that has labels.
    expect(text).toContain('chatferry_job_run_duration_seconds_sum{name="support"} 124.5\n');
    expect(text).toContain('chatferry_job_run_duration_seconds_count{name="support"} 2\n');
  });

  it('distinguishes a failed run from a finished one and from a stopped one', async () => {
    const metrics = metricsOf();
    const last = async (name: string) => sampleOf(await metrics.render(), `chatferry_job_${name}`, { name: 'support' });
    metrics.runEnded!(jobResult({ exit: 3 }));
    expect(await last('last_success_timestamp_seconds')).toBe(endSeconds);
    metrics.runEnded!(failedResult({ endedAtMs: startMs + 60_000 }));
    metrics.runEnded!(failedResult({ exit: 143, endedAtMs: startMs + 90_000 }));
    expect(await last('last_success_timestamp_seconds')).toBe(endSeconds);
    expect(await last('last_end_timestamp_seconds')).toBe(startMs / 1000 + 90);
    expect(await last('last_exit_code')).toBe(143);
    expect(await last('failures_in_a_row')).toBe(1);
    metrics.runEnded!(jobResult({ endedAtMs: startMs + 99_000 }));
    expect(await last('failures_in_a_row')).toBe(0);
  });

  it('shows the remaining messages, the result of reading back, running jobs and due runs', async () => {
    const metrics = metricsOf();
    const verify = { same: 7, missing: 1, extra: 0, different: 2, duplicated: 0, foreign: 4 };
    metrics.runStarted!('support', { number: 12, startedAtMs: startMs, cause: 'schedule' });
    metrics.scheduled!('support', startMs + 1_000);
    const during = await metrics.render();
    expect(sampleOf(during, 'chatferry_job_running', { name: 'support' })).toBe(1);
    expect(sampleOf(during, 'chatferry_job_next_run_timestamp_seconds', { name: 'support' })).toBe(startMs / 1000 + 1);
    metrics.runEnded!(jobResult({ exit: 6, remaining: { pending: 5, unconfirmed: 2 }, verify }));
    metrics.scheduled!('support', null);
    const after = await metrics.render();
    expect(sampleOf(after, 'chatferry_job_running', { name: 'support' })).toBe(0);
    expect(sampleOf(after, 'chatferry_job_next_run_timestamp_seconds', { name: 'support' })).toBeUndefined();
    expect(sampleOf(after, 'chatferry_job_messages_remaining', { name: 'support', state: 'pending' })).toBe(5);
    expect(sampleOf(after, 'chatferry_job_messages_remaining', { name: 'support', state: 'unconfirmed' })).toBe(2);
    expect(sampleOf(after, 'chatferry_job_differences', { name: 'support', kind: 'different' })).toBe(2);
  });

  it('continues from the values of earlier processes, so that a restart silences no alarm', async () => {
    const past = { job: 'support', lastExit: 5, lastEndAtMs: 9_000, lastSuccessAtMs: 4_000, failuresInARow: 2 };
    const metrics = metricsOf([past]);
    const begun = await metrics.render();
    expect(sampleOf(begun, 'chatferry_job_last_success_timestamp_seconds', { name: 'support' })).toBe(4);
    expect(sampleOf(begun, 'chatferry_job_last_exit_code', { name: 'support' })).toBe(5);
    metrics.runEnded!(failedResult());
    expect(sampleOf(await metrics.render(), 'chatferry_job_failures_in_a_row', { name: 'support' })).toBe(3);
    expect(sampleOf(await metrics.render(), 'chatferry_job_needs_person', { name: 'support' })).toBe(1);
    metrics.runEnded!(jobResult());
    expect(sampleOf(await metrics.render(), 'chatferry_job_needs_person', { name: 'support' })).toBe(0);
  });

  it('survives any text as a label', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: anyCharacter, minLength: 1, maxLength: 20 }), async (kind) => {
        const metrics = metricsOf();
        metrics.runEnded!(jobResult({ added: { drift: { [kind]: 1 } } }));
        const labels = { name: 'support', kind: kind.toWellFormed() };
        expect(sampleOf(await metrics.render(), 'chatferry_job_drift_total', labels)).toBe(1);
      }),
      { numRuns: 20 },
    );
  });
});
