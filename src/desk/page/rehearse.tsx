import { Empty, Stages, useAnswer } from '../../viewer/page/door.tsx';
import { Icon } from '../../web/page/icon.tsx';
import type { ReportView } from '../shapes.ts';
import type { Desk } from './desk.ts';
import { Fault } from './elements.tsx';
import { changedAnswers, Choices, isUnconfirmed, Sections, Unconfirmed, Verdict } from './report-parts.tsx';
import { chatsHref, stepHref } from './route.ts';
import { hasSource, PlanButton, RunButton } from './run-button.tsx';
import { read } from './send.ts';
import { useDeed } from './use-deed.ts';

const sections = 'glance losses lost totals arrivals content conversations decided skipped';

/** The fifth step: the whole migration into the sandbox, and what came of it. */
export function Rehearse({ desk }: { readonly desk: Desk }) {
  const { state } = desk;
  const { version, run, chats } = state;
  const plan = useAnswer(() => read('report', { of: 'plan', sections }), [version]);
  const rehearsal = useAnswer(() => read('report', { of: 'rehearsal', sections }), [version]);
  const hasPlan = plan.answer?.report != null && plan.answer.isCurrent;
  const isConfirmed = plan.answer?.report != null && !isUnconfirmed(plan.answer.report);
  const isRehearsed = state.steps.some(({ step, status }) => step === 'rehearse' && status === 'done');
  // A rehearsal of another plan says nothing of this one.
  const shown = rehearsal.answer?.isCurrent ? rehearsal.answer : plan.answer;
  const isOn = run?.endedAtMs === null && (run.kind === 'plan' || run.kind === 'rehearse');
  return (
    <>
      <header class="step-head">
        <h1>Rehearse</h1>
        {chats !== null && (
          <a class="button" href={chatsHref}>
            <Icon name="chats" /> Open the chats
          </a>
        )}
      </header>
      <p class="soft">
        A trial run of the whole migration, into a sandbox on this machine. Nothing leaves the machine.
      </p>
      {!hasPlan || isConfirmed ? <Open desk={desk} /> : <Unconfirmed />}
      <Hosted desk={desk} />
      <p class="filters">
        <PlanButton desk={desk} isMain={!hasPlan} />
        {hasPlan && isConfirmed && (
          <RunButton
            desk={desk}
            run={{ kind: 'rehearse' }}
            label={rehearsal.answer?.report ? 'Rehearse again' : 'Rehearse'}
            isMain={hasPlan && !isRehearsed}
          />
        )}
      </p>
      {isOn && <Stages stages={run.stages} />}
      {run?.error && (run.kind === 'plan' || run.kind === 'rehearse') && <WayOut />}
      {plan.error && <Fault error={plan.error} />}
      {rehearsal.error && <Fault error={rehearsal.error} />}
      {shown?.error && <Fault error={shown.error} />}
      {plan.answer?.report && !hasPlan && <p class="notice">{changedAnswers}: plan again</p>}
      {hasPlan && rehearsal.answer?.report && !rehearsal.answer.isCurrent && (
        <p class="notice">The plan has changed since the last rehearsal</p>
      )}
      {shown?.report ? (
        <Outcome desk={desk} view={shown} />
      ) : (
        plan.answer && !isOn && <Empty>Nothing is planned yet</Empty>
      )}
    </>
  );
}

function Open({ desk }: { readonly desk: Desk }) {
  const { state } = desk;
  const decide = state.steps.find(({ step }) => step === 'decide');
  if (decide?.status !== 'open' || !hasSource(desk)) return null;
  return (
    <p class="notice">
      <a href={stepHref('decide')}>Decide</a> first{decide.note === '' ? '' : `: ${decide.note}`}
    </p>
  );
}

/** Where a run that failed is mended. */
const WayOut = () => (
  <p class="notice">
    Correct it under <a href={stepHref('people')}>People</a> or <a href={stepHref('decide')}>Decide</a>, then plan
    again.
  </p>
);

interface OutcomeProps {
  readonly desk: Desk;
  readonly view: ReportView;
}

function Outcome({ desk, view }: OutcomeProps) {
  const { changedSince } = view.report!;
  return (
    <section aria-label={view.of === 'plan' ? 'Plan' : 'Rehearsal'}>
      <Verdict view={view} />
      {changedSince.length > 0 && (
        <p class="soft">
          Changed since the plan before:{' '}
          <bdi>{changedSince.map((change) => change.replace(/ \(\w+ to \w+\)$/, '')).join(', ')}</bdi>
        </p>
      )}
      <Sections view={view} />
      <Choices version={desk.state.version} />
    </section>
  );
}

/** Whether the sandbox refuses what the hosted service would. */
function Hosted({ desk }: { readonly desk: Desk }) {
  const { answer, error } = useAnswer(() => read('destination'), [desk.state.version]);
  const { error: refused, act } = useDeed();
  if (error) return <Fault error={error} />;
  return (
    <>
      <label class="choice">
        <input
          type="checkbox"
          checked={answer?.rehearsesHosted ?? false}
          disabled={!answer || answer.isFixed}
          onChange={({ currentTarget: { checked } }) =>
            void act(() => desk.write('destination', { rehearsesHosted: checked }, answer?.version))
          }
        />
        Apply the limits of the hosted service
      </label>
      {refused && <Fault error={refused} />}
    </>
  );
}
