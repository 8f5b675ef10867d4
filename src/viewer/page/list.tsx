import { useEffect, useRef, useState } from 'preact/hooks';
import type { ConversationPage, ConversationRow, Person } from '../shapes.ts';
import { ask } from './api.ts';
import { Avatar, Empty, Find, Name, Problem } from './elements.tsx';
import { countOf, formatCount, formatRecent } from './format.ts';
import { useSettled } from './hooks.ts';
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
  const [loaded, setLoaded] = useState<ConversationPage>();
  const [error, setError] = useState<string>();
  const wanted = useSettled(search, 50);
  const isAsking = useRef(false);
  const question = { search: wanted, kind, as };

  useEffect(() => {
    let isWanted = true;
    ask<ConversationPage>('conversations', question).then(
      (page) => {
        if (!isWanted) return;
        setLoaded(page);
        setError(undefined);
      },
      (problem: Error) => isWanted && setError(problem.message),
    );
    return () => {
      isWanted = false;
    };
  }, [wanted, kind, as, newest]);

  const more = async () => {
    if (!loaded || loaded.next === null || isAsking.current || loaded.rows.length >= rowsMax) return;
    isAsking.current = true;
    try {
      const page = await ask<ConversationPage>('conversations', { ...question, after: loaded.next });
      setLoaded({ ...page, rows: [...loaded.rows, ...page.rows], people: { ...loaded.people, ...page.people } });
    } finally {
      isAsking.current = false;
    }
  };

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
      {error !== undefined && <Problem>{error}</Problem>}
      {loaded?.rows.length === 0 && (
        <Empty>{search ? 'No conversation is called so' : 'There is no conversation yet'}</Empty>
      )}
      <ul
        class="rows"
        tabindex={0}
        onScroll={({ currentTarget: { scrollHeight, scrollTop, clientHeight } }) => {
          if (scrollHeight - scrollTop - clientHeight < 600) void more();
        }}
      >
        {loaded?.rows.map((row) => (
          <Row key={row.id} row={row} as={as} isCurrent={row.id === current} people={loaded.people} />
        ))}
      </ul>
      {loaded && (
        <p class="totals soft">
          {countOf(loaded.totals.messages, 'message')} in {countOf(loaded.totals.conversations, 'conversation')}
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
