import { useEffect, useState } from 'preact/hooks';
import { Icon } from '../../web/page/icon.tsx';
import { factsOf, formatCount } from '../../viewer/page/door.tsx';
import { formatDuration } from '../../lib/text/quantity.ts';
import type { DeskRun, RunKind } from '../shapes.ts';
import type { Desk } from './desk.ts';
import { Fault } from './elements.tsx';
import { useDeed } from './use-deed.ts';

const doing: Readonly<Record<RunKind, string>> = {
  fetch: 'Fetching',
  inspect: 'Counting',
  plan: 'Planning',
  rehearse: 'Rehearsing',
  doctor: 'Checking the destination',
  media: 'Copying files',
  import: 'Importing',
  verify: 'Verifying',
  undo: 'Taking back',
  report: 'Writing the report',
};

/** Whether the same command goes on where it was stopped. */
const continues = ({ kind }: DeskRun): boolean => kind !== null && !['inspect', 'doctor', 'report'].includes(kind);

/** A terminal may run commands that the desk does not. */
const describeActivity = ({ kind, command }: DeskRun): string => (kind === null ? command : doing[kind]);

/** The run that goes on, on every step; afterwards, how it ended. */
export function Running({ desk }: { readonly desk: Desk }) {
  const { run, runBefore } = desk.state;
  return <>{[runBefore, run].map((one) => one && <OneRun key={one.startedAtMs} desk={desk} run={one} />)}</>;
}

/** How long the end of a run that went well is shown, in ms: to be read, not to be closed. */
const shownMs = 8_000;

function OneRun({ desk, run }: { readonly desk: Desk; readonly run: DeskRun }) {
  const [isDismissed, setDismissed] = useState(false);
  const isOn = run.endedAtMs === null;
  const goes = !isOn && run.outcome === 'Done' && !run.error && run.notices.length === 0;
  useEffect(() => {
    const timer = goes ? setTimeout(() => setDismissed(true), shownMs) : undefined;
    return () => clearTimeout(timer);
  }, [goes]);
  if (isDismissed) return null;
  return (
    <section class={isOn ? 'run on' : 'run'} aria-label="Run">
      {isOn ? <Progress desk={desk} run={run} /> : <Ended desk={desk} run={run} onDismiss={() => setDismissed(true)} />}
      <Notices run={run} />
    </section>
  );
}

/** Time after which a piece of work is named, in ms. */
const patienceMs = 300;

/** Work of the desk itself that takes a while. */
export function Asking({ state: { asking } }: Pick<Desk, 'state'>) {
  if (!asking || asking.ms < patienceMs) return null;
  const { what, done, total } = asking;
  return (
    <p class="run run-line on" role="status">
      <span>{what}…</span>
      <progress aria-label={what} value={total === null ? undefined : (done ?? 0)} max={total ?? undefined} />
      {done !== null && total !== null && (
        <span class="soft">
          {formatCount(done)} of {formatCount(total)}
        </span>
      )}
    </p>
  );
}

function Progress({ desk, run }: { readonly desk: Desk; readonly run: DeskRun }) {
  const { error, act } = useDeed();
  const stage = run.stages.findLast(({ summary }) => summary === null) ?? run.stages.at(-1);
  const pause = () => void act(() => desk.write('stop'));
  return (
    <>
      <div class="run-line">
        <b role="status">{describeActivity(run)}…</b>
        <progress
          aria-label={describeActivity(run)}
          value={stage && stage.total !== null ? stage.done : undefined}
          max={stage && stage.total !== null ? Math.max(stage.total, 1) : undefined}
        />
        {stage && (
          <span class="soft">
            <bdi>{stage.name}</bdi>: {factsOf(stage).join(' · ')}
          </span>
        )}
        {run.canStop && (
          <button type="button" disabled={run.isStopping} onClick={pause}>
            {run.isStopping ? 'Stopping…' : continues(run) ? 'Pause' : 'Stop'}
          </button>
        )}
        {!run.isOurs && <span class="soft">started in a terminal</span>}
      </div>
      {stage?.waiting && (
        <p class="waiting">
          Waiting{stage.waiting.ms === null ? '' : ` ${formatDuration(stage.waiting.ms)}`}:{' '}
          <bdi>{stage.waiting.reason}</bdi>
        </p>
      )}
      {error && <Fault error={error} />}
    </>
  );
}

interface EndedProps {
  readonly desk: Desk;
  readonly run: DeskRun;
  readonly onDismiss: () => void;
}

function Ended({ desk, run, onDismiss }: EndedProps) {
  const { error, act } = useDeed();
  const { kind, outcome, startedAtMs, endedAtMs } = run;
  const isDone = outcome === 'Done' && !run.error;
  const again = () => kind !== null && void act(() => desk.write('run', { kind }));
  return (
    <>
      <div class="run-line">
        <b role="status">
          <Icon name={isDone ? 'check' : 'warning'} /> {describeActivity(run)}:{' '}
          {outcome === 'Stopped' ? (continues(run) ? 'paused' : 'stopped') : isDone ? 'done' : 'failed'}
        </b>
        <span class="soft">{formatDuration((endedAtMs ?? startedAtMs) - startedAtMs)}</span>
        <span class="run-end">
          {!isDone && kind !== null && kind !== 'fetch' && (
            <button type="button" onClick={again}>
              {outcome === 'Stopped' && continues(run) ? 'Continue' : 'Try again'}
            </button>
          )}
          <button type="button" class="quiet" onClick={onDismiss} aria-label="Close">
            <Icon name="close" />
          </button>
        </span>
      </div>
      {run.error && <Fault error={run.error} />}
      {error && <Fault error={error} />}
    </>
  );
}

function Notices({ run: { notices } }: { readonly run: DeskRun }) {
  if (notices.length === 0) return null;
  return (
    <details>
      <summary>{notices.length === 1 ? '1 notice' : `${notices.length} notices`}</summary>
      <ul>
        {notices.map((notice, index) => (
          <li key={index} dir="auto">
            {notice}
          </li>
        ))}
      </ul>
    </details>
  );
}
