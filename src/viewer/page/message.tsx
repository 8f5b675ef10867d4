import { useState } from 'preact/hooks';
import { type Data, dataText, importedMetadata } from '../answers/data-parts.ts';
import type { Excerpt, Person, ShownMessage } from '../shapes.ts';
import { Icon } from '../../web/page/icon.tsx';
import { Avatar, Name } from './elements.tsx';
import { Interactive } from './form.tsx';
import { countOf, formatMoment, formatTime, toIso } from './format.ts';
import { Attachments, MissingFiles } from './files.tsx';
import { type NameOf, Rich } from './markdown.tsx';
import { Custom, Reactions } from './parts.tsx';

export interface MessageProps {
  readonly message: ShownMessage;
  /** Says it right behind the one before: the name stands there. */
  readonly isContinued: boolean;
  readonly isOwn: boolean;
  /** What it replies to stands above it already. */
  readonly isInThread?: boolean;
  readonly people: Readonly<Record<string, Person>>;
  readonly roots: Readonly<Record<string, Excerpt>>;
  /** Absent if there is nowhere to go from here. */
  readonly onDetails?: ((message: ShownMessage) => void) | undefined;
  readonly onThread?: (key: string) => void;
  readonly onJump?: (id: string) => void;
}

/** A message as somebody sees it who uses the service, with what else is known of it. */
export function Message(props: MessageProps) {
  const { message, isContinued, isOwn, people } = props;
  const nameOf: NameOf = (uid) => people[uid]?.name ?? uid;
  const kept = importedMetadata(message.data);
  if (message.category === 'action' || message.category === 'call' || kept.system !== undefined)
    return <Line {...props} nameOf={nameOf} />;
  const name = nameOf(message.sender);
  const isReply = message.parent !== null || typeof kept.thread === 'string';
  return (
    <div class={`message${isOwn ? ' own' : ''}${isContinued ? ' continued' : ''}${isReply ? ' reply' : ''}`}>
      {isContinued ? <span class="avatar-space" /> : <Avatar name={name} id={message.sender} />}
      <div class="body">
        <p class={isContinued ? 'unseen' : 'head'}>
          <bdi class="name">{name}</bdi>
          {people[message.sender]?.isBot && <span class="tag">bot</span>} <Time message={message} />
        </p>
        <Roots {...props} kept={kept} nameOf={nameOf} />
        <div class="said">
          <div class="bubble">
            <Content message={message} kept={kept} nameOf={nameOf} />
          </div>
          <DetailsButton message={message} onDetails={props.onDetails} />
        </div>
        <Reactions given={message.reactions} kept={kept.reactions} nameOf={nameOf} />
        <Marks {...props} kept={kept} />
      </div>
    </div>
  );
}

const Time = ({ message }: { readonly message: ShownMessage }) => (
  <time dateTime={toIso(message.sentAt)} title={formatMoment(message.sentAt)}>
    {formatTime(message.sentAt)}
  </time>
);

/** UTF-16 units of a text that are shown before somebody wants the rest. */
const firstMax = 3_000;

function Content({
  message,
  kept,
  nameOf,
}: {
  readonly message: ShownMessage;
  readonly kept: Data;
  readonly nameOf: NameOf;
}) {
  const [isWhole, setWhole] = useState(false);
  const { data, category, type } = message;
  if (message.deletedAt !== null || kept.deleted === true) return <p class="gone">This message was deleted</p>;
  const text = dataText(data.text);
  const shown = isWhole || text.length <= firstMax ? text : text.slice(0, firstMax).toWellFormed();
  return (
    <>
      {text !== '' && (
        <div class="text" dir="auto">
          <Rich text={shown} nameOf={nameOf} />
        </div>
      )}
      {shown.length < text.length && (
        <button type="button" class="more" onClick={() => setWhole(true)}>
          Show all {countOf(text.length, 'character')}
        </button>
      )}
      {message.isCut && <p class="soft">The message is longer than shown here; its JSON has the whole.</p>}
      <Attachments data={data} type={type} />
      <MissingFiles files={kept.files} />
      {category === 'interactive' && <Interactive type={type} data={data} />}
      {category === 'custom' && <Custom type={type} data={data} />}
    </>
  );
}

/** What it replies to, or quotes. */
function Roots({
  message,
  roots,
  isInThread,
  kept,
  nameOf,
  onThread,
  onJump,
}: MessageProps & { readonly kept: Data; readonly nameOf: NameOf }) {
  const thread = message.parent === null ? dataText(kept.thread) : `#${message.parent}`;
  const root = roots[thread];
  const quote = roots[dataText(kept.quote)];
  return (
    <>
      {thread !== '' && !isInThread && (
        <button
          type="button"
          class="root"
          disabled={!(root && onThread)}
          onClick={() => onThread?.(root?.id ?? thread)}
        >
          <Icon name="reply" />{' '}
          {root ? <Quoted excerpt={root} nameOf={nameOf} /> : 'replies to a message that is not here'}
          {message.parent === null && <span class="only"> thread in metadata only</span>}
        </button>
      )}
      {quote && (
        <button type="button" class="root quote" disabled={!onJump} onClick={() => onJump?.(quote.id)}>
          <Icon name="quote" /> <Quoted excerpt={quote} nameOf={nameOf} />
        </button>
      )}
    </>
  );
}

const Quoted = ({ excerpt, nameOf }: { readonly excerpt: Excerpt; readonly nameOf: NameOf }) => (
  <span class="excerpt">
    <b dir="auto">{nameOf(excerpt.sender)}</b> <Name>{excerpt.text}</Name>
  </span>
);

const changes: Readonly<Record<string, string>> = {
  edited: 'says that an earlier message was edited',
  deleted: 'says that an earlier message was deleted',
  restored: 'says that an earlier message is back',
  reactions: 'says how the reactions to an earlier message changed',
  changed: 'says that an earlier message changed',
};

function listMarks(message: ShownMessage, kept: Data): string[] {
  const { edited, pinned, broadcast, truncated, part, parts, change } = kept;
  return [
    ...(edited === undefined ? [] : ['edited']),
    ...(pinned === true ? ['pinned'] : []),
    ...(broadcast === true ? ['also sent to the conversation'] : []),
    ...(truncated === undefined ? [] : ['text cut to the service’s limit']),
    ...(part === undefined ? [] : [`part ${dataText(part)} of ${dataText(parts)}`]),
    ...(change === undefined ? [] : [changes[dataText(change)] ?? 'says what changed']),
    ...message.tags.slice(0, 25).map((tag) => `#${dataText(tag)}`),
  ];
}

function Marks({ message, kept, onThread }: MessageProps & { readonly kept: Data }) {
  const marks = listMarks(message, kept);
  if (marks.length === 0 && message.replies === 0) return null;
  return (
    <p class="marks">
      {marks.map((mark) => (
        <span key={mark} class="mark" dir="auto">
          {mark === 'pinned' && <Icon name="pin" />} {mark}
        </span>
      ))}
      {message.replies > 0 && (
        <button type="button" class="replies" onClick={() => onThread?.(message.id)}>
          {countOf(message.replies, 'repl')
            .replace(/repls$/, 'replies')
            .replace(/repl$/, 'reply')}
        </button>
      )}
    </p>
  );
}

const DetailsButton = ({ message, onDetails }: Pick<MessageProps, 'message' | 'onDetails'>) =>
  onDetails ? (
    <button
      type="button"
      class="details"
      aria-label={`Details of message ${message.id}`}
      onClick={() => onDetails(message)}
    >
      {'{ }'}
    </button>
  ) : null;

/** Joins, calls and whatever else nobody said. */
function Line({ message, nameOf, onDetails }: MessageProps & { readonly nameOf: NameOf }) {
  const text = dataText(message.data.text);
  return (
    <div class="line">
      <span>
        {message.category === 'call' && <Icon name="call" />}{' '}
        <Name>{text || (message.sentence ?? `${nameOf(message.sender)}: ${message.type}`)}</Name>{' '}
        <Time message={message} />
      </span>
      <DetailsButton message={message} onDetails={onDetails} />
    </div>
  );
}
