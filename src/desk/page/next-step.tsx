import { Icon } from '../../web/page/icon.tsx';
import type { DeskState, Step } from '../shapes.ts';
import { stepHref, steps } from './route.ts';
import { stepNames } from './steps.tsx';

/** Leads to the step after this one; past those that cannot be gone on with yet. */
export function NextStep({ state, step }: { readonly state: DeskState; readonly step: Step }) {
  const statusOf = (name: Step) => state.steps.find((one) => one.step === name)?.status;
  const next = steps.slice(steps.indexOf(step) + 1).find((later) => statusOf(later) !== 'waiting');
  if (statusOf(step) !== 'done' || next === undefined) return null;
  return (
    <p class="next-step">
      <a class="button main" href={stepHref(next)}>
        {stepNames[next]} <Icon name="arrow" />
      </a>
    </p>
  );
}
