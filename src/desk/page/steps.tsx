import { Icon } from '../../web/page/icon.tsx';
import type { DeskState, Step, StepState } from '../shapes.ts';
import { stepHref, steps } from './route.ts';

export const stepNames: Readonly<Record<Step, string>> = {
  source: 'Source',
  conversations: 'Conversations',
  decide: 'Decide',
  people: 'People',
  rehearse: 'Rehearse',
  go: 'Go',
};

const words: Readonly<Record<StepState['status'], string>> = { done: 'done', open: 'to do', waiting: 'later' };

/** The six steps, each with how far it is. */
export function Steps({ state, current }: { readonly state: DeskState; readonly current: Step }) {
  return (
    <nav class="steps" aria-label="Steps">
      <ol>
        {steps.map((step, index) => {
          const { status, note } = state.steps.find((one) => one.step === step) ?? { status: 'waiting', note: '' };
          return (
            <li key={step} class={`is-${status}`}>
              <a href={stepHref(step)} aria-current={step === current ? 'step' : undefined}>
                <span class="step-mark" aria-hidden="true">
                  {status === 'done' ? <Icon name="check" /> : index + 1}
                </span>
                <span class="step-words">
                  <b>
                    <span class="unseen">{index + 1}. </span>
                    {stepNames[step]}
                    <span class="unseen">, {words[status]}</span>
                  </b>
                  <span class="soft" dir="auto">
                    {note}
                  </span>
                </span>
              </a>
            </li>
          );
        })}
      </ol>
      <p class="step-now" aria-hidden="true">
        {steps.indexOf(current) + 1} of {steps.length} · {stepNames[current]}
      </p>
    </nav>
  );
}
