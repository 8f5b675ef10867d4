import { useEffect, useRef, useState } from 'preact/hooks';
import { readRoute, type Route } from './route.ts';

export function useRoute(): Route {
  const [route, setRoute] = useState(() => readRoute(location.hash));
  useEffect(() => {
    const read = () => setRoute(readRoute(location.hash));
    addEventListener('hashchange', read);
    return () => removeEventListener('hashchange', read);
  }, []);
  return route;
}

/** What a question is answered with; asked again when `keys` change. An answer that comes too late is passed over. */
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
