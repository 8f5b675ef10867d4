import { useState } from 'preact/hooks';

/** Does what a button says, and keeps why it was refused until it is done again. */
export function useDeed() {
  const [error, setError] = useState<Error>();
  const [isBusy, setBusy] = useState(false);
  const act = async (deed: () => Promise<unknown>) => {
    setBusy(true);
    setError(undefined);
    try {
      await deed();
    } catch (problem) {
      setError(problem as Error);
    } finally {
      setBusy(false);
    }
  };
  return { error, isBusy, act };
}
