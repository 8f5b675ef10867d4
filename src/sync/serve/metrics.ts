import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { Clock } from '../../lib/flow/clock.ts';
import { type JobResult, type SyncListener, failuresAfter, isSuccess, type JobPast, toOutcome } from '../job-result.ts';
import { addProcessMetrics } from '../../lib/process-metrics.ts';

/** Metrics in the text format of Prometheus, 0.0.4. Counters begin at 0 with the process; gauges go on from what was. */
export interface Metrics extends SyncListener {
  readonly contentType: string;
  render(): Promise<string>;
}

/** A second to a day: an unchanged export takes seconds, the first run of a large one hours. */
const durationBuckets = [1, 5, 15, 60, 300, 900, 3_600, 14_400, 43_200, 86_400];

const messageOutcomes = ['read', 'skipped', 'invalid', 'imported', 'existing', 'failed', 'late'] as const;
const arrivalOutcomes = ['read', 'skipped', 'invalid', 'imported', 'existing', 'failed'] as const;
const requestKinds = ['import', 'list'] as const;
const differenceKinds = ['missing', 'extra', 'different', 'duplicated', 'foreign'] as const;

/** @param past What earlier processes left: alarms on age and failures hold across a restart. */
export function createMetrics(clock: Clock, past: readonly JobPast[] = []): Metrics {
  const registry = new Registry();
  const meters = metersIn(registry);
  const failures = new Map(past.map(({ job, failuresInARow }) => [job, failuresInARow]));
  addProcessMetrics(registry, clock);
  return {
    contentType: registry.contentType,
    render: () => registry.metrics(),
    started(jobs) {
      meters.jobs.set(jobs.length);
      for (const name of jobs) beginAtZero(meters, name);
      for (const one of past) goOnFrom(meters, one);
    },
    scheduled: (name, atMs) => setOrRemove(meters.nextRun, name, atMs),
    runStarted: (name) => meters.running.set({ name }, 1),
    runEnded(result) {
      failures.set(result.job, failuresAfter(failures.get(result.job) ?? 0, result));
      meters.failures.set({ name: result.job }, failures.get(result.job)!);
      countRun(meters, result);
    },
    beat: (atMs) => meters.beat.set(atMs / 1000),
  };
}

/** A counter that is missing until it first counts hides its first increase. */
function beginAtZero(meters: Meters, name: string): void {
  meters.running.set({ name }, 0);
  meters.failures.set({ name }, 0);
  meters.needsPerson.set({ name }, 0);
  meters.runs.inc({ name, exit: '0' }, 0);
  for (const outcome of messageOutcomes) meters.messages.inc({ name, outcome }, 0);
  for (const kind of requestKinds) meters.requests.inc({ name, kind }, 0);
  meters.retried.inc({ name }, 0);
  meters.rateLimited.inc({ name }, 0);
}

function goOnFrom(
  meters: Meters,
  { job: name, lastExit, lastEndAtMs, lastSuccessAtMs, failuresInARow }: JobPast,
): void {
  meters.failures.set({ name }, failuresInARow);
  if (lastExit !== null) showExit(meters, name, lastExit);
  if (lastEndAtMs !== null) meters.lastEnd.set({ name }, lastEndAtMs / 1000);
  if (lastSuccessAtMs !== null) meters.lastSuccess.set({ name }, lastSuccessAtMs / 1000);
}

function setOrRemove(gauge: Gauge<'name'>, name: string, atMs: number | null): void {
  if (atMs === null) gauge.remove({ name });
  else gauge.set({ name }, atMs / 1000);
}

function showExit(meters: Meters, name: string, exit: number): void {
  meters.lastExit.set({ name }, exit);
  meters.needsPerson.set({ name }, toOutcome({ exit }) === 'needs-person' ? 1 : 0);
}

function countRun(meters: Meters, result: JobResult): void {
  const { job: name, added, requests, remaining, verify } = result;
  const endSeconds = result.endedAtMs / 1000;
  meters.running.set({ name }, 0);
  meters.runs.inc({ name, exit: String(result.exit) });
  showExit(meters, name, result.exit);
  meters.lastEnd.set({ name }, endSeconds);
  if (isSuccess(result)) meters.lastSuccess.set({ name }, endSeconds);
  meters.duration.observe({ name }, Math.max(0, result.endedAtMs - result.startedAtMs) / 1000);
  for (const outcome of messageOutcomes) meters.messages.inc({ name, outcome }, added[outcome]);
  for (const [kind, count] of Object.entries(added.drift)) meters.drift.inc({ name, kind }, count);
  for (const [kind, counts] of Object.entries(added.arrivals))
    for (const outcome of arrivalOutcomes) meters.arrivals.inc({ name, kind, outcome }, counts[outcome] ?? 0);
  for (const [kind, count] of Object.entries(added.actions)) meters.actions.inc({ name, kind }, count);
  for (const kind of requestKinds) meters.requests.inc({ name, kind }, requests[kind]);
  meters.retried.inc({ name }, requests.retried);
  meters.rateLimited.inc({ name }, requests.rateLimited);
  meters.remaining.set({ name, state: 'pending' }, remaining.pending);
  meters.remaining.set({ name, state: 'unconfirmed' }, remaining.unconfirmed);
  if (verify) for (const kind of differenceKinds) meters.differences.set({ name, kind }, verify[kind]);
}

type Meters = ReturnType<typeof metersIn>;

/** The job's name is not in the label `job`: Prometheus has that one for itself. */
function metersIn(registry: Registry) {
  const registers = [registry];
  const counter = <Label extends string>(name: string, help: string, ...labelNames: Label[]) =>
    new Counter<Label>({ name, help, labelNames, registers });
  const gauge = <Label extends string>(name: string, help: string, ...labelNames: Label[]) =>
    new Gauge<Label>({ name, help, labelNames, registers });
  return {
    jobs: gauge('chatferry_jobs', 'Jobs of the configuration'),
    beat: gauge('chatferry_beat_timestamp_seconds', 'When the scheduler last looked up'),
    running: gauge('chatferry_job_running', '1 while the job is running', 'name'),
    nextRun: gauge('chatferry_job_next_run_timestamp_seconds', 'When the job is due next', 'name'),
    runs: counter('chatferry_job_runs_total', 'Runs that ended, by exit code', 'name', 'exit'),
    failures: gauge('chatferry_job_failures_in_a_row', 'Failed runs since the last one that finished', 'name'),
    needsPerson: gauge(
      'chatferry_job_needs_person',
      '1 if the last run failed until a person has acted (exit 8)',
      'name',
    ),
    lastExit: gauge('chatferry_job_last_exit_code', 'Exit code of the last run', 'name'),
    lastEnd: gauge('chatferry_job_last_end_timestamp_seconds', 'When the last run ended', 'name'),
    lastSuccess: gauge(
      'chatferry_job_last_success_timestamp_seconds',
      'When a run last finished (exit 0 or 3)',
      'name',
    ),
    duration: new Histogram({
      name: 'chatferry_job_run_duration_seconds',
      help: 'How long runs took',
      labelNames: ['name'],
      buckets: durationBuckets,
      registers,
    }),
    messages: counter('chatferry_job_messages_total', 'Messages, by what became of them', 'name', 'outcome'),
    remaining: gauge(
      'chatferry_job_messages_remaining',
      'Messages that the last run left pending or unconfirmed',
      'name',
      'state',
    ),
    drift: counter('chatferry_job_drift_total', 'Changes noticed at the source, by kind', 'name', 'kind'),
    arrivals: counter(
      'chatferry_job_arrivals_total',
      'People, groups and members, by kind and what became of them',
      'name',
      'kind',
      'outcome',
    ),
    actions: counter('chatferry_job_actions_total', 'Actions done after the messages, by kind', 'name', 'kind'),
    requests: counter('chatferry_job_requests_total', 'Requests to the destination, by kind', 'name', 'kind'),
    retried: counter('chatferry_job_requests_retried_total', 'Requests that were repeated', 'name'),
    rateLimited: counter('chatferry_job_requests_rate_limited_total', 'Requests answered with "too many"', 'name'),
    differences: gauge(
      'chatferry_job_differences',
      'Differences that the last read-back found, by kind',
      'name',
      'kind',
    ),
  };
}
