import { useState } from 'preact/hooks';
import type { PeoplePage } from '../shapes.ts';
import { Avatar } from './elements.tsx';
import { countOf } from './format.ts';
import { usePages } from './hooks.ts';
import { hrefOf } from './route.ts';
import { Sheet } from './sheet.tsx';

/** Everybody; a link shows the chats as one of them sees them. */
export function People() {
  const [search, setSearch] = useState('');
  const { rows, more, error } = usePages<PeoplePage['rows'][number]>('people', search);
  return (
    <Sheet
      title="People"
      find="Find somebody"
      search={search}
      onSearch={setSearch}
      error={error}
      none={rows?.length === 0 && !more ? nobody(search) : undefined}
      more={more}
    >
      {rows?.map(({ uid, name, role, conversations, isBot, isDeactivated }) => (
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
    </Sheet>
  );
}

const nobody = (search: string) => (search === '' ? 'No people yet' : 'No person has this name');
