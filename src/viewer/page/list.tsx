import { useState } from 'preact/hooks';
import type { ConversationPage, ConversationRow, Person } from '../shapes.ts';
import { ask } from './api.ts';
import { Avatar, Empty, Find, Name, Problem } from './elements.tsx';
import { countOf, formatCount, formatRecent } from './format.ts';
import { usePages } from './hooks.ts';
import { hrefOf } from './route.ts';

interface ListProps {
  readonly as: string | undefined;
  readonly current: string | undefined;
  readonly newest: string;
}

/** Rows that the page keeps: who wants to see further searches. */
const rowsMax = 2_000;

/** The conversations, the last spoken in first; more come when the end is near. */
export function ConversationList({ as, current, newest }: ListProps) {
  const [search, setSearch] = useState('');
  const [kind, setKind] = useState('');
  const question = { search, kind, as };
  const { page, more, error } = usePages(
    (after) => ask<ConversationPage>('conversations', { ...question, after }),
    [search, kind, as, newest],
  );
  return (
    <section class="list" aria-label="Conversations">
      {current === undefined && <h1 class="unseen">Chats</h1>}
      <div class="find">
        <Find label="Find a conversation" value={search} onInput={setSearch} />
        <select aria-label="Kind" value={kind} onChange={(event) => setKind(event.currentTarget.value)}>
          <option value="">All</option>
          <option value="group">Groups</option>
          <option value="user">Direct</option>
        </select>
      </div>
      {error && <Problem>{error.message}</Problem>}
      {page?.rows.length === 0 && (
        <Empty>{search ? 'No conversation is called so' : 'There is no conversation yet'}</Empty>
      )}
      <ul
        class="rows"
        tabindex={0}
        onScroll={({ currentTarget: { scrollHeight, scrollTop, clientHeight } }) => {
          if (scrollHeight - scrollTop - clientHeight < 600 && page && page.rows.length < rowsMax) more?.();
        }}
      >
        {page?.rows.map((row) => (
          <Row key={row.id} row={row} as={as} isCurrent={row.id === current} people={page.people} />
        ))}
      </ul>
      {page && (
        <p class="totals soft">
          {countOf(page.totals.messages, 'message')} in {countOf(page.totals.conversations, 'conversation')}
        </p>
      )}
    </section>
  );
}

interface RowProps {
  readonly row: ConversationRow;
  readonly as: string | undefined;
  readonly isCurrent: boolean;
  readonly people: Readonly<Record<string, Person>>;
}

function Row({ row, as, isCurrent, people }: RowProps) {
  const sender = people[row.lastSender]?.name ?? row.lastSender;
  return (
    <li>
      <a
        href={hrefOf({ page: 'chats', conversation: row.id, as })}
        aria-current={isCurrent ? 'page' : undefined}
        class="row"
      >
        <Avatar name={row.title} id={row.id} isGroup={row.kind === 'group'} />
        <span class="row-text">
          <span class="row-head">
            <bdi class="row-title">{row.title}</bdi>
            <span class="soft">{formatRecent(row.lastAt)}</span>
          </span>
          <span class="row-head">
            <span class="row-last soft">
              {row.kind === 'group' && sender !== '' && (
                <>
                  <Name>{sender}</Name>:{' '}
                </>
              )}
              <Name>{row.lastText}</Name>
            </span>
            <span class="number" title={countOf(row.count, 'message')}>
              {formatCount(row.count)}
            </span>
          </span>
        </span>
      </a>
    </li>
  );
}
