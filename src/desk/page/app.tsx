import { useEffect } from 'preact/hooks';
import { Chats, Empty, Problem, skipToMain, closePanel } from '../../viewer/page/door.tsx';
import { Icon } from '../../web/page/icon.tsx';
import type { DeskState, Step } from '../shapes.ts';
import { Choices } from './choices.tsx';
import { Conversations } from './conversations.tsx';
import { Decide } from './decide.tsx';
import { type Desk, useDesk } from './desk.ts';
import { Fault } from './elements.tsx';
import { Go } from './go.tsx';
import { NextStep } from './next-step.tsx';
import { People } from './people.tsx';
import { Rehearse } from './rehearse.tsx';
import { stepHref, stepOf, useView, type View, tableHref, steps } from './route.ts';
import { Asking, Running } from './running.tsx';
import { Source } from './source.tsx';
import { Steps } from './steps.tsx';
import { Tables } from './tables.tsx';
import { InTheTerminal } from './terminal.tsx';

export function App() {
  const { desk, gone, by, setBy } = useDesk();
  const view = useView();
  useKeys(view);
  const next = desk && pickStart(desk.state);
  useEffect(() => {
    if (!view && next) location.replace(stepHref(next));
  }, [view, next]);
  return (
    <div class="desk">
      <button type="button" class="skip" onClick={skipToMain}>
        To this step
      </button>
      <header class="navigation">
        <span class="brand">
          <Icon name="mark" /> Chatferry
        </span>
        {desk && (
          <span class="soft folder" dir="auto">
            {desk.state.folder}
          </span>
        )}
        <label class="me">
          You are
          <input
            id="me"
            type="text"
            placeholder="Your name"
            autocomplete="name"
            maxLength={100}
            value={by}
            aria-describedby="me-why"
            onInput={(event) => setBy(event.currentTarget.value)}
          />
          <span id="me-why">Type your name first: each decision keeps it</span>
        </label>
      </header>
      {desk && view && <Steps state={desk.state} current={stepOf(view)} />}
      {gone !== undefined && <Problem>{gone}</Problem>}
      {desk && view ? (
        <Body desk={desk} view={view} />
      ) : (
        <main class="sheet" id="main">
          <Empty>Looking…</Empty>
        </main>
      )}
      <div class="runs">
        {desk && gone === undefined && <Asking state={desk.state} />}
        {desk && view && gone === undefined && !isShownInStep(view, desk) && <Running desk={desk} />}
      </div>
    </div>
  );
}

/** A bare address opens the next step; before there is a plan, the step that shows what the export is. */
const pickStart = ({ steps, next }: DeskState): Step =>
  steps.some(({ step, status }) => step === 'people' && status !== 'waiting') ? next : 'source';

/** The first step shows how it counts where the counts will be. */
const isShownInStep = (view: View, { state }: Desk): boolean =>
  'step' in view && view.step === 'source' && state.run?.kind === 'inspect';

function Body({ desk, view }: { readonly desk: Desk; readonly view: View }) {
  if ('chats' in view)
    return (
      <Chats route={view.chats}>
        <a href={stepHref('rehearse')}>
          <Icon name="back" /> Rehearsal
        </a>
      </Chats>
    );
  const step = stepOf(view);
  if (desk.state.error)
    return (
      <main class="sheet" id="main" tabindex={-1}>
        <h1>The settings cannot be used</h1>
        <Fault error={desk.state.error} />
      </main>
    );
  return (
    <main class={`sheet step-${step}`} id="main" tabindex={-1}>
      <StepView desk={desk} view={view} />
      {step !== 'source' && (
        <>
          <NextStep state={desk.state} step={step} />
          <InTheTerminal commands={desk.state.commands[step]} />
        </>
      )}
    </main>
  );
}

function StepView({ desk, view }: { readonly desk: Desk; readonly view: Exclude<View, { readonly chats: unknown }> }) {
  if ('choices' in view) return <Choices desk={desk} of={view.of} />;
  if ('tables' in view) return <Tables desk={desk} of={view.of} />;
  switch (view.step) {
    case 'source':
      return <Source desk={desk} of={view.of} />;
    case 'conversations':
      return <Conversations desk={desk} />;
    case 'decide':
      return <Decide desk={desk} of={view.of} />;
    case 'people':
      return <People key={view.of} desk={desk} of={view.of} />;
    case 'rehearse':
      return <Rehearse desk={desk} />;
    case 'go':
      return <Go desk={desk} />;
  }
}

/** Elements into which letters are typed. */
const isTyping = ({ target }: KeyboardEvent): boolean =>
  target instanceof HTMLTextAreaElement ||
  target instanceof HTMLSelectElement ||
  (target instanceof HTMLInputElement && target.type !== 'radio' && target.type !== 'checkbox');

/** Keys of the whole page: 1–6 for the steps, j and k along a list, / for its search, Escape for the way back. */
function useKeys(view: View | undefined): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.key === 'Escape') return goBack(view);
      if (isTyping(event)) return;
      const step = steps[Number(event.key) - 1];
      if (step) location.hash = stepHref(step);
      else if (event.key === 'j' || event.key === 'k') move(event.key === 'j' ? 1 : -1);
      else if (event.key === '/') document.getElementById('find')?.focus();
      else return;
      event.preventDefault();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, [view]);
}

/** Moves along the links of a list; Enter then opens one, as it does with any link. */
function move(by: 1 | -1): void {
  const links = [...document.querySelectorAll<HTMLElement>('.rows a')];
  const focused = links.indexOf(document.activeElement as HTMLElement);
  const at = focused === -1 ? links.findIndex((link) => link.ariaCurrent !== null) : focused;
  links[Math.min(Math.max(at + by, 0), links.length - 1)]?.focus();
}

function goBack(view: View | undefined): void {
  if (!view || closePanel()) return;
  if ('chats' in view) location.hash = stepHref('rehearse');
  else if ('choices' in view) location.hash = stepHref('decide');
  else if ('tables' in view) location.hash = view.of === undefined ? stepHref('decide') : tableHref();
  else if (view.of !== undefined) location.hash = stepHref(view.step);
}
