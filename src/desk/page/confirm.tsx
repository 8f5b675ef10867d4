import { useEffect, useRef, useState } from 'preact/hooks';
import { Fault } from './elements.tsx';

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
  const [error, setError] = useState<Error>();
  const no = useRef<HTMLButtonElement>(null);
  // Enter pressed once more does no harm.
  useEffect(() => no.current?.focus(), [isAsking]);
  const act = () => {
    setAsking(false);
    setError(undefined);
    onYes().catch(setError);
  };
  return (
    <>
      {isAsking ? (
        <div class="confirm" role="alertdialog" aria-label={label} aria-describedby="question">
          <p id="question">
            <bdi>{question}</bdi>
          </p>
          <p class="filters">
            <button type="button" class="main" disabled={isBusy} onClick={act}>
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
            onClick={() => (needsAsking ? setAsking(true) : act())}
          >
            {label}
          </button>
        </p>
      )}
      {error && <Fault error={error} />}
    </>
  );
}
