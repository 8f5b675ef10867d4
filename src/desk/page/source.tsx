import { countOf, Empty, formatCount, formatMoment, Name, Problem, useAnswer } from '../../viewer/page/door.tsx';
import type { DeskRun, SourceCounts, SourceView } from '../shapes.ts';
import { ChosenExport, Copies, Password } from './chosen-export.tsx';
import type { Desk } from './desk.ts';
import { Destination } from './destination.tsx';
import { Facts, Fault } from './elements.tsx';
import { Ignored, Parts } from './parts.tsx';
import { ReadAs } from './read-as.tsx';
import { stepHref } from './route.ts';
import { read, send } from './send.ts';
import { another, HowToGet, Start } from './start.tsx';
import { InTheTerminal } from './terminal.tsx';
import { NextStep } from './next-step.tsx';
import { useDeed } from './use-deed.ts';

interface SourceProps {
  readonly desk: Desk;
  /** Name of a source, whose export is looked for; `another` export is to be chosen. */
  readonly of: string | undefined;
}

/** The first step: what the export is, and what it holds. */
export function Source({ desk, of }: SourceProps) {
  const { state, update: onChange } = desk;
  const { version, run } = state;
  const { answer: view, error } = useAnswer(() => read('source'), [version]);
  if (error) return <Problem>{error.message}</Problem>;
  if (of !== undefined && of !== another) return <HowToGet source={of} />;
  if (!view) return <Empty>Looking…</Empty>;
  if (of === another || view.exports.length === 0)
    return (
      <>
        <Start version={version} onChange={onChange} />
        {view.dropped && <Copies copies={view.dropped} onChange={onChange} />}
      </>
    );
  return (
    <>
      <h1>{pickTitle(view)}</h1>
      <Inputs view={view} />
      {view.error && <Fault error={view.error} />}
      {view.error && view.readAs && <ReadAs readAs={view.readAs} version={version} onChange={onChange} />}
      {view.wantsPassword && <Password onChange={onChange} />}
      {run?.kind === 'inspect' && <Counting run={run} onChange={onChange} />}
      {view.counts && <Counts counts={view.counts} />}
      {view.tables.length > 0 && <Tables view={view} />}
      {view.questions.length > 0 && <Questions view={view} />}
      {view.notes.length > 0 && <Notes view={view} />}
      {!view.error && !view.wantsPassword && <Destination desk={desk} />}
      {view.older && <Older older={view.older} />}
      {!view.error && <NextStep state={state} step="source" />}
      <Parts version={version} />
      <Ignored version={version} />
      <ChosenExport view={view} version={version} onChange={onChange} />
      <InTheTerminal commands={[view.command, ...(view.next === null ? [] : [view.next])]} />
    </>
  );
}

function pickTitle({ exports, source, error, wantsPassword }: SourceView): string {
  if (source !== null) return source.title;
  if (wantsPassword) return exports.join(', ');
  return error ? 'This export cannot be read' : 'Looking at the export…';
}

/** The inputs with why they were recognised; until then, what was named. */
function Inputs({ view: { inputs, exports } }: { readonly view: SourceView }) {
  return (
    <ul aria-label="Export">
      {inputs.length === 0
        ? exports.map((path) => (
            <li key={path} dir="auto">
              {path}
            </li>
          ))
        : inputs.map(({ label, because }) => (
            <li key={label}>
              <Name>{label}</Name>{' '}
              {because === null ? (
                <span class="soft">read as you chose</span>
              ) : (
                <span class="soft">
                  recognised by <bdi>{because}</bdi>
                </span>
              )}
            </li>
          ))}
    </ul>
  );
}

/** The command that counts, while it runs; afterwards, why it did not end well. */
function Counting({ run, onChange }: { readonly run: DeskRun; readonly onChange: () => Promise<void> }) {
  const { error, act } = useDeed();
  const ordered = (name: 'run' | 'stop', body: object) => () => void act(() => send(name, body).then(onChange));
  const isOn = run.endedAtMs === null;
  const stage = run.stages.at(-1);
  return (
    <>
      {isOn && (
        <p class="running" role="status">
          <label>
            Counting… <b>{stage ? formatCount(stage.done) : ''}</b> <progress />
          </label>
          <button type="button" disabled={run.isStopping} onClick={ordered('stop', {})}>
            {run.isStopping ? 'Stopping…' : 'Stop'}
          </button>
        </p>
      )}
      {run.error && <Fault error={run.error} />}
      {!isOn && run.outcome !== 'Done' && (
        <p class="running">
          {run.outcome === 'Stopped' && <span>Counting was stopped</span>}
          <button type="button" onClick={ordered('run', { kind: run.kind })}>
            Count again
          </button>
        </p>
      )}
      {error && <Fault error={error} />}
    </>
  );
}

function Counts({ counts }: { readonly counts: SourceCounts }) {
  const { messages, internal, system, people, conversations, files, firstAtMs, lastAtMs } = counts;
  const large: readonly (readonly [count: number, words: string])[] = [
    [messages, 'messages of people and bots'],
    [conversations, 'conversations'],
    [people, 'people'],
    [files, 'files read'],
  ];
  const others = [
    ...(system > 0 ? [`${formatCount(system)} lines written by the platform`] : []),
    ...(internal > 0 ? [`${countOf(internal, 'internal note')} of agents`] : []),
  ];
  return (
    <section class="totals-of-export" aria-label="Totals">
      <ul>
        {large.map(([count, words]) => (
          <li key={words}>
            <b>{formatCount(count)}</b> <span class="soft">{words}</span>
          </li>
        ))}
      </ul>
      {others.length > 0 && <p class="soft">Besides: {others.join(', ')}</p>}
      {firstAtMs !== null && lastAtMs !== null && (
        <p>
          {formatMoment(firstAtMs / 1000)} to {formatMoment(lastAtMs / 1000)}
        </p>
      )}
      {counts.bins.length > 1 && <OverTime {...counts} />}
    </section>
  );
}

/** Columns of a short history stay narrow. */
const slotsMin = 12;

/** Messages over time. Widths are shares of the page; a column with a message is at least a hundredth high. */
function OverTime({ bins, per }: Pick<SourceCounts, 'bins' | 'per'>) {
  const most = bins.reduce((best, bin) => (bin.count > best.count ? bin : best));
  const slots = Math.max(slotsMin, bins.length);
  const words = `Messages per ${per}, ${bins[0]!.label} to ${bins.at(-1)!.label}; most in ${most.label}: ${formatCount(most.count)}`;
  return (
    <figure class="over-time">
      <svg viewBox={`0 0 ${slots} 100`} preserveAspectRatio="none" role="img" aria-label={words}>
        {bins.map(({ label, count }, index) => {
          const height = count === 0 ? 0 : Math.max(1, (100 * count) / most.count);
          return (
            <rect key={label} x={index + 0.1} width={0.8} y={100 - height} height={height}>
              <title>{`${label}: ${countOf(count, 'message')}`}</title>
            </rect>
          );
        })}
      </svg>
      <figcaption class="soft">{words}</figcaption>
    </figure>
  );
}

/** Said before anything is planned: the destination would refuse these. */
const Older = ({ older: { days, count, total } }: { readonly older: NonNullable<SourceView['older']> }) => (
  <p class="notice">
    Older than the {formatCount(days)} days that the service keeps: {formatCount(count)} of {formatCount(total)}{' '}
    messages. If your plan keeps them longer, type its days here; or{' '}
    <a href={stepHref('conversations')}>choose how far back</a> messages are moved.
  </p>
);

function Tables({ view: { tables } }: { readonly view: SourceView }) {
  return (
    <>
      <h2>Tables that are read</h2>
      <Facts
        rows={tables.map(({ role, table, because }) => [
          role,
          <>
            <Name>{table}</Name>
            <span class="soft">
              {' · '}
              <bdi>{because}</bdi>
            </span>
          </>,
        ])}
      />
    </>
  );
}

function Questions({ view: { questions } }: { readonly view: SourceView }) {
  return (
    <>
      <h2>To decide before anything is counted</h2>
      <ul class="losses">
        {questions.map(({ question, why }) => (
          <li key={question}>
            {question} <bdi>{why}</bdi>
          </li>
        ))}
      </ul>
    </>
  );
}

function Notes({ view: { notes, counts } }: { readonly view: SourceView }) {
  const rows = counts && counts.invalid > 0 ? `${countOf(counts.invalid, 'row')} cannot be read` : '';
  const notesText = counts && counts.problems > 0 ? countOf(counts.problems, 'note') : '';
  return (
    <>
      <h2>{[rows, notesText].filter(Boolean).join(', ')}</h2>
      <ul class="problems">
        {notes.map(({ location, title, reason }, index) => (
          <li key={index}>
            <bdi class="soft">{location}</bdi> {title !== null && <b>{title}: </b>}
            <bdi>{reason}</bdi>
          </li>
        ))}
      </ul>
    </>
  );
}
