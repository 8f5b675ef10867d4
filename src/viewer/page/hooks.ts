import { useEffect, useRef, useState } from 'preact/hooks';

/** The part of the address after `#`, read again when it changes. */
export function useHash<Read>(read: (hash: string) => Read): Read {
  const [found, setFound] = useState(() => read(location.hash));
  useEffect(() => {
    const update = () => setFound(read(location.hash));
    addEventListener('hashchange', update);
    // It may have changed before anybody listened.
    update();
    return () => removeEventListener('hashchange', update);
  }, []);
  return found;
}

/** Returns the answer to a question, and asks again when `keys` change. Ignores an answer that comes too late. */
export function useAnswer<Answer>(question: () => Promise<Answer>, keys: readonly unknown[]) {
  const [state, setState] = useState<{ readonly answer?: Answer; readonly error?: Error }>({});
  useEffect(() => {
    let isWanted = true;
    question().then(
      (answer) => isWanted && setState({ answer }),
      (error: Error) => isWanted && setState({ error }),
    );
    return () => {
      isWanted = false;
    };
  }, keys);
  return state;
}

interface Pages {
  readonly rows: readonly unknown[];
  /** Start of the next page; null at the end. */
  readonly next: string | null;
  /** The people whom its rows name. */
  readonly people?: unknown;
}

/**
 * A list that comes page by page.
 *
 * @param ask For the page that begins there, or for the first one.
 * @param again Asked again from the beginning when one of these changes; until the answer is there, the rows before stay.
 * @returns `more` asks for the next page, if there is one.
 */
export function usePages<Page extends Pages>(
  ask: (after: string | undefined) => Promise<Page>,
  again: readonly unknown[],
) {
  const [page, setPage] = useState<Page>();
  const [error, setError] = useState<Error>();
  const turn = useRef(0);
  const asked = useRef(Promise.resolve());
  const load = async (before: Page | undefined) => {
    const own = ++turn.current;
    try {
      const found = await ask(before?.next ?? undefined);
      if (own !== turn.current) return;
      setError(undefined);
      setPage(before ? joined(before, found) : found);
    } catch (problem) {
      if (own === turn.current) setError(problem as Error);
    }
  };
  useEffect(() => {
    let isWanted = true;
    // Of the searches that are typed while one is answered, only the last is asked.
    void asked.current.then(() => {
      if (isWanted) asked.current = load(undefined);
    });
    return () => {
      isWanted = false;
      turn.current++;
    };
  }, again);
  const more = page && page.next !== null ? () => void load(page) : undefined;
  return { page, setPage, error, more };
}

const joined = <Page extends Pages>(before: Page, found: Page): Page => ({
  ...found,
  rows: [...before.rows, ...found.rows],
  ...(found.people !== undefined && { people: Object.assign({}, before.people, found.people) }),
});

/** The value once it has not changed for a while. */
export function useSettled<T>(value: T, ms: number): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), ms);
    return () => clearTimeout(timer);
  }, [value, ms]);
  return settled;
}

/** Calls again and again while the page is seen; the next call waits for the one before. */
export function usePolling(call: () => Promise<void>, ms: number): void {
  const latest = useRef(call);
  latest.current = call;
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    let isWanted = true;
    const turn = async () => {
      if (document.visibilityState === 'visible') await latest.current().catch(() => {});
      if (isWanted) timer = setTimeout(turn, ms);
    };
    void turn();
    return () => {
      isWanted = false;
      clearTimeout(timer);
    };
  }, [ms]);
}
