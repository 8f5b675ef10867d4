import { useState } from 'preact/hooks';
import type { GroupRow, GroupsPage } from '../shapes.ts';
import { Icon } from '../../web/page/icon.tsx';
import type { IconName } from '../../web/icons.ts';
import { ask } from './api.ts';
import { Avatar } from './elements.tsx';
import { countOf, formatMoment, formatRecent, toIso } from './format.ts';
import { usePages } from './hooks.ts';
import { hrefOf } from './route.ts';
import { Sheet } from './sheet.tsx';

/** All groups by name, or those of one user; a link opens what was written in one. */
export function Groups({ as }: { readonly as: string | undefined }) {
  const [search, setSearch] = useState('');
  const { page, more, error } = usePages((after) => ask<GroupsPage>('groups', { search, as, after }), [search, as]);
  const rows = page?.rows;
  return (
    <Sheet
      title="Groups"
      find="Find a group"
      search={search}
      onSearch={setSearch}
      error={error}
      none={rows?.length === 0 && !more ? noGroup(search) : undefined}
      more={more}
    >
      {rows?.map((row) => (
        <Group key={row.guid} row={row} as={as} />
      ))}
    </Sheet>
  );
}

const noGroup = (search: string) => (search === '' ? 'There is no group yet' : 'No group is called so');

const accesses: Readonly<Record<string, string>> = {
  public: 'Public',
  private: 'Private',
  password: 'Password',
};

const marks: Readonly<Record<string, IconName>> = { private: 'lock', password: 'key' };

function Group({ row, as }: { readonly row: GroupRow; readonly as: string | undefined }) {
  const { guid, name, access, description, members, conversation, messages, lastAt } = row;
  return (
    <li class="group">
      <Avatar name={name} id={conversation ?? guid} isGroup />
      <span class="person">
        {conversation === null ? (
          <bdi>{name}</bdi>
        ) : (
          <a href={hrefOf({ page: 'chats', conversation, as })} dir="auto">
            {name}
          </a>
        )}
        <span class="soft">
          {access in marks && <Icon name={marks[access]!} />} {accesses[access] ?? access} ·{' '}
          {countOf(members, 'member')}
          {description !== '' && (
            <>
              {' · '}
              <bdi>{description}</bdi>
            </>
          )}
        </span>
      </span>
      <span class="written">
        {countOf(messages, 'message')}
        {lastAt !== null && (
          <time class="soft" dateTime={toIso(lastAt)} title={`Last message: ${formatMoment(lastAt)}`}>
            {formatRecent(lastAt)}
          </time>
        )}
      </span>
    </li>
  );
}
