import { useEffect, useRef, useState } from 'preact/hooks';
import { ask } from './api.ts';
import { readRoute, type Route } from './route.ts';

export function useRoute(): Route {
  const [route, setRoute] = useState(() => readRoute(location.hash));
  useEffect(() => {
    const read = () => setRoute(readRoute(location.hash));
    addEventListener('hashchange', read);
    // It may have changed before anybody listened.
    read();
    return () => removeEventListener('hashchange', read);
  }, []);
  return route;
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

/**
 * Rows that come page by page and are looked for by words.
 *
 * @param name Of the question; @param as only those of this uid.
 * @returns `more` where there are more; it asks for the next page.
 */
export function usePages<Row>(name: string, search: string, as?: string) {
  const wanted = useSettled(search, 50);
  const [loaded, setLoaded] = useState<Pages<Row>>();
  const [error, setError] = useState<string>();
  const load = async (before: Pages<Row> | undefined, isWanted: () => boolean) => {
    const page = await ask<Pages<Row>>(name, { search: wanted, as, after: before?.next ?? undefined });
    if (isWanted()) setLoaded({ ...page, rows: [...(before?.rows ?? []), ...page.rows] });
  };
  const fail = (problem: Error) => setError(problem.message);
  useEffect(() => {
    let isWanted = true;
    load(undefined, () => isWanted).catch(fail);
    return () => {
      isWanted = false;
    };
  }, [wanted, as]);
  const more = loaded && loaded.next !== null ? () => void load(loaded, () => true).catch(fail) : undefined;
  return { rows: loaded?.rows, more, error };
}

interface Pages<Row> {
  readonly rows: readonly Row[];
  /** Start of the next page; null at the end. */
  readonly next: string | null;
}

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
