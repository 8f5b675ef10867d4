import type { ComponentChildren } from 'preact';
import { Empty, Find, More, Problem } from './elements.tsx';

interface SheetProps {
  readonly title: string;
  /** What the field for words is called. */
  readonly find: string;
  readonly search: string;
  readonly onSearch: (search: string) => void;
  readonly error: Error | undefined;
  /** Says that there is nothing. */
  readonly none: string | undefined;
  readonly more: (() => void) | undefined;
  /** The rows, each an `li`. */
  readonly children: ComponentChildren;
}

/** A page with a list of its own, that words narrow. */
export function Sheet({ title, find, search, onSearch, error, none, more, children }: SheetProps) {
  return (
    <main class="sheet" id="main">
      <h1>{title}</h1>
      <Find label={find} value={search} onInput={onSearch} />
      {error && <Problem>{error.message}</Problem>}
      {none !== undefined && <Empty>{none}</Empty>}
      <ul class="people wide-list" aria-label={title}>
        {children}
      </ul>
      <More more={more} />
    </main>
  );
}
