import { useState } from 'preact/hooks';

/** Sends something, and says why it was refused. */
export function useSending(onChange: () => Promise<void>) {
  const [error, setError] = useState<Error>();
  const [isSending, setSending] = useState(false);
  const sending = async (work: Promise<unknown>) => {
    setSending(true);
    setError(undefined);
    try {
      await work;
      await onChange();
    } catch (problem) {
      setError(problem as Error);
    } finally {
      setSending(false);
    }
  };
  return { error, isSending, sending };
}
