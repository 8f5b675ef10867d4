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
  const { messages, internal, system, people, conversations, firstAtMs, lastAtMs } = counts;
  const rows: readonly (readonly [string, string])[] = [
    ['Messages of people and bots', formatCount(messages)],
    ...(internal > 0 ? [['Internal (notes of agents)', formatCount(internal)] as const] : []),
    ['Written by the platform', formatCount(system)],
    ['People', formatCount(people)],
    ['Conversations', formatCount(conversations)],
    ...(firstAtMs === null ? [] : [['From', formatMoment(firstAtMs / 1000)] as const]),
    ...(lastAtMs === null ? [] : [['To', formatMoment(lastAtMs / 1000)] as const]),
  ];
  return <Facts rows={rows} class="totals-of-export" />;
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
