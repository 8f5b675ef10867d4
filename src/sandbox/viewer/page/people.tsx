import { useEffect, useState } from 'preact/hooks';
import type { PeoplePage } from '../shapes.ts';
import { ask } from './api.ts';
import { Avatar, Empty, Problem } from './elements.tsx';
import { countOf } from './format.ts';
import { useSettled } from './hooks.ts';
import { hrefOf } from './route.ts';

/** Everybody; a link shows the chats as one of them sees them. */
export function People() {
  const [search, setSearch] = useState('');
  const wanted = useSettled(search, 50);
  const [loaded, setLoaded] = useState<PeoplePage>();
  const [error, setError] = useState<string>();
  const load = async (before: PeoplePage | undefined, isWanted: () => boolean) => {
    const page = await ask<PeoplePage>('people', { search: wanted, after: before?.next ?? undefined });
    if (isWanted()) setLoaded({ ...page, rows: [...(before?.rows ?? []), ...page.rows] });
  };
  useEffect(() => {
    let isWanted = true;
    load(undefined, () => isWanted).catch((problem: Error) => setError(problem.message));
    return () => {
      isWanted = false;
    };
  }, [wanted]);
  return (
    <main class="sheet" id="main">
      <h1>People</h1>
      <input
        id="find"
        type="search"
        placeholder="Find somebody"
        aria-label="Find somebody"
        value={search}
        onInput={(event) => setSearch(event.currentTarget.value)}
      />
      {error !== undefined && <Problem>{error}</Problem>}
      {loaded?.rows.length === 0 && loaded.next === null && <Empty>Nobody is called so</Empty>}
      <ul class="people wide-list">
        {loaded?.rows.map(({ uid, name, role, conversations, isBot, isDeactivated }) => (
          <li key={uid}>
            <Avatar name={name} id={uid} />
            <span class="person">
              <bdi>{name}</bdi>
              <span class="soft">
                {uid} · {role}
                {isBot && ' · bot'}
                {isDeactivated && ' · deactivated'}
              </span>
            </span>
            <a href={hrefOf({ page: 'chats', as: uid })}>
              {countOf(conversations, 'conversation')}
              <span class="unseen"> as {name} sees them</span>
            </a>
          </li>
        ))}
      </ul>
      {loaded && loaded.next !== null && (
        <button type="button" onClick={() => void load(loaded, () => true)}>
          Show more
        </button>
      )}
    </main>
  );
}
