import { usePages } from '../../viewer/page/door.tsx';
import type { Page } from '../shapes.ts';
import { type Read, type ReadAnswer, read } from './send.ts';

/** Names of questions whose answers come page by page. */
type Paged = { [Name in Read]: ReadAnswer<Name> extends Page<unknown> ? Name : never }[Read];

/** A list of the desk. @param again Asked again from the beginning when one of these changes, or the search does. */
export const useRows = <Name extends Paged>(
  name: Name,
  search: Readonly<Record<string, string | undefined>>,
  again: readonly unknown[],
) => usePages((after) => read(name, { ...search, after }), [...Object.values(search), ...again]);
