import type { RunStage, RunState } from '../shapes.ts';
import { Empty } from './elements.tsx';
import { formatDuration } from '../../lib/text/quantity.ts';
import { formatCount } from './format.ts';

/** An import while it runs, and what it came to. */
export function Run({ run }: { readonly run: RunState | null }) {
  if (!run)
    return (
      <main class="sheet" id="main">
        <h1>Import</h1>
        <Empty>None is running here</Empty>
      </main>
    );
  const tookMs = (run.endedAtMs ?? Date.now()) - run.startedAtMs;
  return (
    <main class="sheet" id="main">
      <h1>{run.endedAtMs === null ? `Running: ${run.command}` : (run.outcome ?? 'Ended')}</h1>
      <p class="soft">
        to <bdi>{run.destination}</bdi> · {formatDuration(tookMs)}
      </p>
      <Stages stages={run.stages} />
      {run.notices.length > 0 && (
        <>
          <h2>Notices</h2>
          <ul>
            {run.notices.map((notice, index) => (
              <li key={index} dir="auto">
                {notice}
              </li>
            ))}
          </ul>
        </>
      )}
      {run.problems.length > 0 && (
        <>
          <h2>Newest problems</h2>
          <ul class="problems">
            {run.problems.map(({ code, place, detail }, index) => (
              <li key={index}>
                <code>{code}</code> <bdi class="soft">{place}</bdi> <bdi>{detail}</bdi>
              </li>
            ))}
          </ul>
        </>
      )}
    </main>
  );
}

export const Stages = ({ stages }: Pick<RunState, 'stages'>) => (
  <ul class="stages">
    {stages.map((stage, index) => (
      <Stage key={index} stage={stage} />
    ))}
  </ul>
);

/** How far a stage is, how fast it goes and what is left. */
export const describeProgress = ({ done, total, perSecond, etaMs, note, summary }: RunStage): readonly string[] => [
  total === null ? formatCount(done) : `${formatCount(done)} of ${formatCount(total)}`,
  ...(perSecond === null || summary !== null ? [] : [`${perSecond.toFixed(perSecond < 10 ? 1 : 0)} a second`]),
  ...(etaMs === null || summary !== null ? [] : [`${formatDuration(etaMs)} left`]),
  ...(note === null ? [] : [note]),
];

function Stage({ stage }: { readonly stage: RunStage }) {
  const { name, done, total, waiting, summary } = stage;
  return (
    <li class={summary === null ? 'stage' : 'stage ended'}>
      <p class="row-head">
        <b>{name}</b>
        <span>{summary ?? describeProgress(stage).join(' · ')}</span>
      </p>
      {summary === null && (
        <progress
          aria-label={name}
          value={total === null ? undefined : done}
          max={total === null ? undefined : Math.max(total, 1)}
        />
      )}
      {waiting && summary === null && (
        <p class="waiting">
          Waiting{waiting.ms === null ? '' : ` ${formatDuration(waiting.ms)}`}: <bdi>{waiting.reason}</bdi>
        </p>
      )}
    </li>
  );
}
