import { useState } from 'preact/hooks';
import type { ConversationDetails, ShownMessage, ViewerState } from '../shapes.ts';
import { ask } from './api.ts';
import { Icon } from '../../web/page/icon.tsx';
import { Avatar, Problem } from './elements.tsx';
import { countOf, formatMoment } from './format.ts';
import { useAnswer } from './hooks.ts';
import { DetailsPanel, MembersPanel, ThreadPanel } from './panel.tsx';
import { go, hrefOf, type Route } from './route.ts';
import { Timeline } from './timeline.tsx';

interface ChatProps {
  readonly route: Route & { readonly page: 'chats' };
  readonly state: ViewerState | undefined;
}

type Beside =
  | { readonly kind: 'message'; readonly message: ShownMessage }
  | { readonly kind: 'thread'; readonly root: string }
  | { readonly kind: 'members' }
  | undefined;

export function Chat({ route, state }: ChatProps) {
  const { conversation: id, message, as } = route;
  const [beside, setBeside] = useState<Beside>();
  const { answer, error } = useAnswer(
    () =>
      id === undefined ? Promise.resolve(undefined) : ask<ConversationDetails>('conversation', { conversation: id }),
    [id],
  );
  if (id === undefined || error)
    return (
      <main class="chat" id="main">
        {error ? <Problem>{`This conversation is not here: ${error.message}`}</Problem> : <Welcome state={state} />}
      </main>
    );
  if (!answer || answer.id !== id) return <main class="chat" id="main" aria-busy="true" />;
  const jump = (wanted: string) => go({ ...route, message: wanted });
  return (
    <>
      <main class="chat" id="main">
        <header class="chat-head">
          <a class="back" href={hrefOf({ page: 'chats', as })} aria-label="All conversations">
            <Icon name="back" />
          </a>
          <Avatar name={answer.title} id={answer.id} isGroup={answer.kind === 'group'} />
          <div class="chat-title">
            <h1 dir="auto">{answer.title}</h1>
            <p class="soft" title={`${formatMoment(answer.firstAt)} to ${formatMoment(answer.lastAt)}`}>
              {countOf(answer.count, 'message')}
              {answer.description !== undefined && answer.description !== '' && (
                <>
                  {' · '}
                  <bdi>{answer.description}</bdi>
                </>
              )}
            </p>
          </div>
          <button type="button" onClick={() => setBeside({ kind: 'members' })}>
            {countOf(answer.memberCount, 'member')}
          </button>
        </header>
        <Timeline
          conversation={answer}
          message={message}
          as={as}
          newest={state?.newest ?? '0'}
          onDetails={(shown) => setBeside({ kind: 'message', message: shown })}
          onThread={(root) => setBeside({ kind: 'thread', root })}
        />
      </main>
      <BesideIt beside={beside} conversation={answer} as={as} onChange={setBeside} onJump={jump} />
    </>
  );
}

interface BesideProps {
  readonly beside: Beside;
  readonly conversation: ConversationDetails;
  readonly as: string | undefined;
  readonly onChange: (beside: Beside) => void;
  readonly onJump: (id: string) => void;
}

function BesideIt({ beside, conversation, as, onChange, onJump }: BesideProps) {
  const close = () => onChange(undefined);
  switch (beside?.kind) {
    case 'members':
      return <MembersPanel conversation={conversation} onClose={close} />;
    case 'thread':
      return (
        <ThreadPanel
          root={beside.root}
          as={as}
          onClose={close}
          onJump={onJump}
          onDetails={(message) => onChange({ kind: 'message', message })}
        />
      );
    case 'message':
      return (
        <DetailsPanel
          message={beside.message}
          link={hrefOf({ page: 'chats', conversation: conversation.id, message: beside.message.id, as })}
          onClose={close}
        />
      );
    default:
      return null;
  }
}

/** What stands where no conversation is chosen: what there is, and how to move in it; or how to begin. */
function Welcome({ state }: { readonly state: ViewerState | undefined }) {
  if (!state) return null;
  const { totals } = state;
  return (
    <div class="welcome">
      <p class="welcome-mark" aria-hidden="true">
        <Icon name="mark" />
      </p>
      {totals === null || totals.messages === 0 ? (
        <>
          <h2>Nothing has arrived yet</h2>
          <p>
            Messages show here as they come. <code>chatferry import EXPORT</code> brings an export.
          </p>
        </>
      ) : (
        <>
          <h2>{countOf(totals.messages, 'message')}, as your people will see them</h2>
          <p>Choose a conversation. The message at the service and its row of the export are one click away.</p>
          <ul class="keys">
            <li>
              <kbd>/</kbd> finds a conversation
            </li>
            <li>
              <kbd>Home</kbd> <kbd>End</kbd> lead to the first and the last message
            </li>
            <li>
              <kbd>Esc</kbd> closes what stands beside them
            </li>
          </ul>
        </>
      )}
    </div>
  );
}
