import { Icon } from '../../web/page/icon.tsx';
import type { DeskState, Step } from '../shapes.ts';
import { stepHref, steps } from './route.ts';
import { stepNames } from './steps.tsx';

export function NextStep({ state, step }: { readonly state: DeskState; readonly step: Step }) {
  const next = steps[steps.indexOf(step) + 1];
  const isDone = state.steps.some((one) => one.step === step && one.status === 'done');
  if (!isDone || next === undefined) return null;
  return (
    <p class="next-step">
      <a class="button main" href={stepHref(next)}>
        {stepNames[next]} <Icon name="arrow" />
      </a>
    </p>
  );
}
