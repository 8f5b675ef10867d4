import { useEffect, useRef, useState } from 'preact/hooks';
import { Fault } from './elements.tsx';
import { useDeed } from './use-deed.ts';

interface ConfirmProps {
  readonly label: string;
  readonly needsAsking: boolean;
  readonly question: string;
  readonly yes: string;
  readonly isBusy: boolean;
  readonly isMain?: boolean;
  readonly onYes: () => Promise<unknown>;
}

/** A button whose deed is asked about first. */
export function Confirm({ label, needsAsking, question, yes, isBusy, isMain = false, onYes }: ConfirmProps) {
  const [isAsking, setAsking] = useState(false);
  const { error, act } = useDeed();
  const no = useRef<HTMLButtonElement>(null);
  // Enter pressed once more does no harm.
  useEffect(() => no.current?.focus(), [isAsking]);
  const doIt = () => {
    setAsking(false);
    void act(onYes);
  };
  return (
    <>
      {isAsking ? (
        <div class="confirm" role="alertdialog" aria-label={label} aria-describedby="question">
          <p id="question" dir="auto">
            {question}
          </p>
          <p class="filters">
            <button type="button" class="main" disabled={isBusy} onClick={doIt}>
              {yes}
            </button>
            <button type="button" ref={no} onClick={() => setAsking(false)}>
              Not yet
            </button>
          </p>
        </div>
      ) : (
        <p class="filters">
          <button
            type="button"
            class={isMain ? 'main' : undefined}
            disabled={isBusy}
            onClick={() => (needsAsking ? setAsking(true) : doIt())}
          >
            {label}
          </button>
        </p>
      )}
      {error && <Fault error={error} />}
    </>
  );
}
