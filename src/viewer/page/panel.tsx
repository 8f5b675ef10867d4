import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { Comparison, ConversationDetails, Replies, ShownMessage } from '../shapes.ts';
import { ask } from './api.ts';
import { Icon } from '../../web/page/icon.tsx';
import { Avatar, Empty, Problem } from './elements.tsx';
import { countOf, formatMoment } from './format.ts';
import { useAnswer } from './hooks.ts';
import { Message } from './message.tsx';
import { hrefOf } from './route.ts';

interface PanelProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}

/** The panel next to the messages. Takes the focus, and gives it back. */
function Panel({ title, onClose, children }: PanelProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    const before = document.activeElement;
    heading.current?.focus();
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  return (
    <aside class="panel" aria-label={title}>
      <header>
        <h2 ref={heading} tabindex={-1}>
          {title}
        </h2>
        <button type="button" onClick={onClose} aria-label="Close">
          <Icon name="close" />
        </button>
      </header>
      <div class="panel-body" tabindex={0}>
        {children}
      </div>
    </aside>
  );
}

interface DetailsProps {
  readonly message: ShownMessage;
  readonly link: string;
  readonly onClose: () => void;
}

/** The message at the service next to its row of the export. */
export function DetailsPanel({ message, link, onClose }: DetailsProps) {
  const { answer, error } = useAnswer(() => ask<Comparison>('message', { message: message.id }), [message.id]);
  return (
    <Panel title="One message" onClose={onClose}>
      <dl>
        <dt>Id</dt>
        <dd>{message.id}</dd>
        {message.muid !== null && (
          <>
            <dt>muid</dt>
            <dd>
              <code>{message.muid}</code>
            </dd>
          </>
        )}
        <dt>Sent</dt>
        <dd>{formatMoment(message.sentAt)}</dd>
        <dt>Link</dt>
        <dd>
          <a href={link}>to this message</a>
        </dd>
      </dl>
      {error && <Problem>{error.message}</Problem>}
      {!answer && !error && <Empty>Reading…</Empty>}
      {answer?.before && <Losses losses={answer.before.losses} />}
      {answer && (
        <div class="sides">
          {answer.before && <Before before={answer.before} />}
          <section>
            <h3>At the service</h3>
            <Code text={pretty(answer.stored)} label="JSON of the message" />
          </section>
        </div>
      )}
    </Panel>
  );
}

function Losses({ losses }: { readonly losses: NonNullable<Comparison['before']>['losses'] }) {
  if (losses.length === 0) return null;
  return (
    <>
      <h3>Differences</h3>
      <ul class="losses">
        {losses.map(({ what, becomes }) => (
          <li key={what}>
            <b dir="auto">{what}</b>: {becomes}
          </li>
        ))}
      </ul>
    </>
  );
}

const Before = ({ before }: { readonly before: NonNullable<Comparison['before']> }) => (
  <section>
    <h3>In the export</h3>
    <p class="soft place" dir="auto">
      {before.location}
    </p>
    {before.why !== undefined && <p>{before.why}</p>}
    {before.row !== null && <Code text={pretty(before.row)} label="Row of the export" />}
  </section>
);

const Code = ({ text, label }: { readonly text: string; readonly label: string }) => (
  <pre class="json" tabindex={0} title={label}>
    {text}
  </pre>
);

/** UTF-16 units of a text that are indented and shown. */
const prettyMax = 200_000;

/** Indented where it is JSON whose numbers all stay as they are. */
function pretty(text: string): string {
  const shown = text.length > prettyMax ? `${text.slice(0, prettyMax).toWellFormed()}…` : text;
  // A number of more digits than one here can have would be shown rounded.
  if (shown !== text || /[^"\d]\d{16,}/.test(text)) return shown;
  try {
    return JSON.stringify(JSON.parse(text), undefined, 2);
  } catch {
    return shown;
  }
}

interface ThreadProps {
  readonly root: string;
  readonly as: string | undefined;
  readonly onDetails: (message: ShownMessage) => void;
  readonly onClose: () => void;
  readonly onJump: (id: string) => void;
}

export function ThreadPanel({ root, as, onDetails, onClose, onJump }: ThreadProps) {
  const { answer, error } = useAnswer(() => ask<Replies>('replies', { message: root }), [root]);
  return (
    <Panel title="Thread" onClose={onClose}>
      {error && <Problem>{error.message}</Problem>}
      {answer && <p class="soft">{countOf(answer.rows.length - 1, 'message')} in reply</p>}
      {answer?.rows.map((message, index) => (
        <div key={message.id} class={index === 0 ? 'thread-root' : 'thread-reply'}>
          <Message
            message={message}
            isContinued={false}
            isInThread
            isOwn={message.sender === as}
            people={answer.people}
            roots={{}}
            onDetails={onDetails}
            onThread={onJump}
            onJump={onJump}
          />
          <p class="marks">
            <span class="soft">{formatMoment(message.sentAt)}</span>
            <button type="button" class="replies" onClick={() => onJump(message.id)}>
              Show in the conversation
            </button>
          </p>
        </div>
      ))}
    </Panel>
  );
}

interface MembersProps {
  readonly conversation: ConversationDetails;
  readonly onClose: () => void;
}

export function MembersPanel({ conversation, onClose }: MembersProps) {
  const { members, memberCount, access, description } = conversation;
  return (
    <Panel title="Members" onClose={onClose}>
      <p class="soft">
        {countOf(memberCount, 'member')}
        {access !== undefined && ` · ${access}`}
      </p>
      {description !== undefined && description !== '' && <p dir="auto">{description}</p>}
      <ul class="people">
        {members.map(({ uid, name, scope, isBot, isDeactivated }) => (
          <li key={uid}>
            <Avatar name={name} id={uid} />
            <span class="person">
              <a
                href={hrefOf({ page: 'chats', conversation: conversation.id, as: uid })}
                title="See it as this user"
                dir="auto"
              >
                {name}
              </a>
              <span class="soft">
                {uid}
                {scope !== 'participant' && ` · ${scope}`}
                {isBot && ' · bot'}
                {isDeactivated && ' · deactivated'}
              </span>
            </span>
          </li>
        ))}
      </ul>
      {memberCount > members.length && <p class="soft">and {memberCount - members.length} more</p>}
    </Panel>
  );
}
