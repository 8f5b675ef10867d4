import { useEffect, useRef, useState } from 'preact/hooks';
import type { Page } from '../shapes.ts';
import { type Read, type ReadAnswer, read } from './send.ts';

/** Names of questions whose answers come page by page. */
type Paged = { [Name in Read]: ReadAnswer<Name> extends Page<unknown> ? Name : never }[Read];

/**
 * A list that comes page by page.
 *
 * @param again Asked again from the beginning when one of these changes; until the answer is there, the rows before stay.
 * @returns `more` asks for the next page, if there is one; `replace` changes rows where they are.
 */
export function useRows<Name extends Paged>(
  name: Name,
  search: Readonly<Record<string, string | undefined>>,
  again: readonly unknown[],
) {
  const [page, setPage] = useState<ReadAnswer<Name>>();
  const [error, setError] = useState<Error>();
  const turn = useRef(0);
  const asked = useRef(Promise.resolve());
  const ask = async (before: ReadAnswer<Name> | undefined) => {
    const own = ++turn.current;
    try {
      const found = await read(name, { ...search, after: before?.next ?? undefined });
      if (own !== turn.current) return;
      setError(undefined);
      setPage(before ? { ...found, rows: [...before.rows, ...found.rows] } : found);
    } catch (problem) {
      if (own === turn.current) setError(problem as Error);
    }
  };
  useEffect(() => {
    let isWanted = true;
    // Of the searches that are typed while one is answered, only the last is asked.
    void asked.current.then(() => {
      if (isWanted) asked.current = ask(undefined);
    });
    return () => {
      isWanted = false;
      turn.current++;
    };
  }, [...Object.values(search), ...again]);
  const more = page && page.next !== null ? () => void ask(page) : undefined;
  return { page, setPage, error, more };
}
