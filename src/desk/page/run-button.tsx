import type { Desk } from './desk.ts';
import { Fault } from './elements.tsx';
import { stepHref } from './route.ts';
import type { RunRequest } from '../shapes.ts';
import { useDeed } from './use-deed.ts';

interface RunButtonProps {
  readonly desk: Desk;
  readonly run: Omit<RunRequest, 'version'>;
  readonly label: string;
  /** Whether it is the one next thing to do. */
  readonly isMain?: boolean;
}

/** Starts a command. */
export function RunButton({ desk, run, label, isMain = false }: RunButtonProps) {
  const { error, act } = useDeed();
  const start = () => void act(() => desk.write('run', run));
  const isBusy = desk.state.run?.endedAtMs === null;
  return (
    <>
      <button type="button" class={isMain ? 'main' : undefined} disabled={isBusy} onClick={start}>
        {label}
      </button>
      {error && <Fault error={error} />}
    </>
  );
}

/** Plans; without an export that can be read, leads to where one is chosen. */
export const PlanButton = ({ desk, isMain = false }: { readonly desk: Desk; readonly isMain?: boolean }) =>
  hasSource(desk) ? (
    <RunButton desk={desk} run={{ kind: 'plan' }} label="Plan" isMain={isMain} />
  ) : (
    <a href={stepHref('source')}>Choose an export first</a>
  );

/** Whether there is an export that can be read. */
export const hasSource = ({ state }: Desk): boolean =>
  state.steps.some(({ step, status }) => step === 'source' && status === 'done');
