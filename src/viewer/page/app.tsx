import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { Person, Place, ViewerState, PeoplePage } from '../shapes.ts';
import { ask } from './api.ts';
import { Chat } from './chat.tsx';
import { Icon } from '../../web/page/icon.tsx';
import type { IconName } from '../../web/icons.ts';
import { Empty, Problem, Avatar } from './elements.tsx';
import { Groups } from './groups.tsx';
import { useAnswer, useHash, usePolling, usePages } from './hooks.ts';
import { ConversationList } from './list.tsx';
import { hrefOf, readRoute, type Route } from './route.ts';
import { Run } from './run.tsx';
import { Search } from './search.tsx';
import { MalformedState, checkViewerState } from './state.ts';
import { countOf } from './format.ts';
import { Sheet } from './sheet.tsx';

export function App() {
  const route = useHash(readRoute);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const isTyping = event.target instanceof HTMLInputElement || event.target instanceof HTMLSelectElement;
      if (event.key === '/' && !isTyping) {
        event.preventDefault();
        document.getElementById('find')?.focus();
      }
      if (event.key === 'Escape') closePanel();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
  return (
    <>
      <button type="button" class="skip" onClick={skipToMain}>
        To the messages
      </button>
      <Chats route={route}>
        <span class="brand">
          <Icon name="mark" /> <span class="wide">Chatferry</span>
        </span>
      </Chats>
    </>
  );
}

/** Closes what is beside the messages. @returns Whether anything was. */
export function closePanel(): boolean {
  const button = document.querySelector<HTMLElement>('.panel > header button');
  button?.click();
  return button !== null;
}

interface ChatsProps {
  readonly route: Route;
  /** Begins the navigation. */
  readonly children: ComponentChildren;
}

export function Chats({ route, children }: ChatsProps) {
  const [state, setState] = useState<ViewerState>();
  const [fault, setFault] = useState<string>();
  usePolling(async () => {
    try {
      setState(checkViewerState(await ask<ViewerState>('state')));
      setFault(undefined);
    } catch (error) {
      if (error instanceof MalformedState) setFault(error.message);
    }
  }, 1_000);
  const isReading = route.page === 'chats' && route.conversation !== undefined;
  const hasList = route.page === 'chats' || route.page === 'find';
  return (
    <div class={`page${isReading ? ' reading' : ''}`}>
      <Navigation route={route} state={state}>
        {children}
      </Navigation>
      {hasList && (
        <ConversationList
          as={route.as}
          current={isReading ? route.conversation : undefined}
          newest={state?.newest ?? '0'}
        />
      )}
      {fault === undefined ? (
        <Content route={route} state={state} />
      ) : (
        <main class="chat" id="main">
          <Problem>{fault}</Problem>
        </main>
      )}
    </div>
  );
}

/** No link: what stands behind `#` is the place that is shown. */
export function skipToMain(): void {
  document.querySelector<HTMLElement>('#main [tabindex="0"], #main')?.focus();
}

function Content({ route, state }: { readonly route: Route; readonly state: ViewerState | undefined }) {
  switch (route.page) {
    case 'chats':
      if (route.conversation === undefined && state?.run && state.totals === null) return <Run run={state.run} />;
      return <Chat key={route.conversation} route={route} state={state} />;
    case 'find':
      return <Find route={route} />;
    case 'search':
      return <Search text={route.text} as={route.as} />;
    case 'people':
      return <People />;
    case 'groups':
      return <Groups as={route.as} />;
    case 'import':
      return <Run run={state?.run ?? null} />;
  }
}

/** Leads from a muid, or an id, to where the message stands. */
function Find({ route }: { readonly route: Route & { readonly page: 'find' } }) {
  const { answer, error } = useAnswer(() => ask<Place>('place', { message: route.key }), [route.key]);
  useEffect(() => {
    if (!answer) return;
    location.replace(hrefOf({ page: 'chats', conversation: answer.conversation, message: answer.id, as: route.as }));
  }, [answer]);
  return (
    <main class="chat" id="main">
      {error ? <Problem>{`No message here has the id ${route.key}`}</Problem> : <Empty>Looking…</Empty>}
    </main>
  );
}

function Navigation({ route, state, children }: ChatsProps & { readonly state: ViewerState | undefined }) {
  const { as } = route;
  const links: readonly (readonly [IconName, string, Route])[] = [
    ['chats', 'Chats', { page: 'chats', as }],
    ['search', 'Search', { page: 'search', text: '', as }],
    ['person', 'People', { page: 'people', as }],
    ['people', 'Groups', { page: 'groups', as }],
    ...(state?.run ? [['mark', 'Import', { page: 'import', as }] as const] : []),
  ];
  return (
    <nav class="navigation" aria-label="Pages">
      {children}
      {links.map(([icon, name, to]) => (
        <a key={name} href={hrefOf(to)} aria-current={route.page === to.page ? 'page' : undefined}>
          <Icon name={icon} /> {name}
        </a>
      ))}
      {as !== undefined && <ViewAs as={as} route={route} />}
    </nav>
  );
}

function ViewAs({ as, route }: { readonly as: string; readonly route: Route }) {
  const { answer } = useAnswer(() => ask<{ readonly rows: readonly Person[] }>('people', { search: as }), [as]);
  const name = answer?.rows.find(({ uid }) => uid === as)?.name ?? as;
  return (
    <span class="as">
      As <bdi>{name}</bdi>
      <a href={hrefOf({ ...route, as: undefined })} aria-label="See everything again">
        <Icon name="close" />
      </a>
    </span>
  );
}

/** Everybody; a link shows the chats as one of them sees them. */
function People() {
  const [search, setSearch] = useState('');
  const { page, more, error } = usePages((after) => ask<PeoplePage>('people', { search, after }), [search]);
  const rows = page?.rows;
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
