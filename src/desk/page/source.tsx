import { useState } from 'preact/hooks';
import { countOf, Empty, formatCount, formatMoment, Name, Problem, useAnswer } from '../../viewer/page/door.tsx';
import type { DeskError, DeskRun, DeskState, SourceCounts, SourceView } from '../shapes.ts';
import { ChosenExport, Password } from './chosen-export.tsx';
import { Ignored, Parts } from './parts.tsx';
import { ReadAs } from './read-as.tsx';
import { read, send } from './send.ts';
import { InTheTerminal } from './terminal.tsx';
import { NextStep } from './next-step.tsx';

interface SourceProps {
  readonly state: DeskState;
  /** Called when something was sent that changes the state. */
  readonly onChange: () => Promise<void>;
}

/** The first step: what the export is, and what it holds. */
export function Source({ state, onChange }: SourceProps) {
  const { version, run } = state;
  const { answer: view, error } = useAnswer(() => read('source'), [version]);
  if (error) return <Problem>{error.message}</Problem>;
  if (!view) return <Empty>Looking…</Empty>;
  return (
    <>
      <h1>{pickTitle(view)}</h1>
      {view.exports.length > 0 && <Inputs view={view} />}
      {view.error && <Refused error={view.error} />}
      {view.error && view.readAs && <ReadAs readAs={view.readAs} version={version} onChange={onChange} />}
      {view.wantsPassword && <Password onChange={onChange} />}
      {run?.kind === 'inspect' && <Counting run={run} onChange={onChange} />}
      {view.counts && <Counts counts={view.counts} />}
      {view.tables.length > 0 && <Tables view={view} />}
      {view.questions.length > 0 && <Questions view={view} />}
      {view.notes.length > 0 && <Notes view={view} />}
      {!view.error && <NextStep state={state} step="source" />}
      <Parts version={version} />
      <Ignored version={version} />
      <ChosenExport view={view} version={version} onChange={onChange} />
      {view.exports.length > 0 && (
        <InTheTerminal commands={[view.command, ...(view.next === null ? [] : [view.next])]} />
      )}
    </>
  );
}

function pickTitle({ exports, source, error }: SourceView): string {
  if (exports.length === 0) return 'Choose an export';
  return source?.title ?? (error ? 'This export cannot be read' : 'Looking at the export…');
}

/** The inputs with why they were recognised; until then, what was named. */
function Inputs({ view: { inputs, exports } }: { readonly view: SourceView }) {
  return (
    <ul aria-label="Export">
      {inputs.length === 0
        ? exports.map((path) => (
            <li key={path}>
              <Name>{path}</Name>
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

function Refused({ error: { message, hint } }: { readonly error: DeskError }) {
  return (
    <div class="problem" role="alert">
      <p class="plain">
        <bdi>{message}</bdi>
      </p>
      {hint !== null && (
        <p class="soft">
          <bdi>{hint}</bdi>
        </p>
      )}
    </div>
  );
}

/** The command that counts, while it runs; afterwards, why it did not end well. */
function Counting({ run, onChange }: { readonly run: DeskRun; readonly onChange: () => Promise<void> }) {
  const [error, setError] = useState<string>();
  const ordered = (name: 'run' | 'stop', body: object) => () =>
    void send(name, body)
      .then(onChange)
      .catch((problem: Error) => setError(problem.message));
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
      {run.error && <Refused error={run.error} />}
      {!isOn && run.outcome !== 'Done' && (
        <p class="running">
          {run.outcome === 'Stopped' && <span>Counting was stopped</span>}
          <button type="button" onClick={ordered('run', { kind: run.kind })}>
            Count again
          </button>
        </p>
      )}
      {error !== undefined && <Problem>{error}</Problem>}
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
  return (
    <dl class="facts totals-of-export">
      {rows.map(([name, value]) => (
        <>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </>
      ))}
    </dl>
  );
}

function Tables({ view: { tables } }: { readonly view: SourceView }) {
  return (
    <>
      <h2>Tables that are read</h2>
      <dl class="facts">
        {tables.map(({ role, table, because }) => (
          <>
            <dt>{role}</dt>
            <dd>
              <Name>{table}</Name>
              <span class="soft">
                {' · '}
                <bdi>{because}</bdi>
              </span>
            </dd>
          </>
        ))}
      </dl>
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
