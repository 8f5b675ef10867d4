import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { ConversationDetails, MessagePage, Place, ShownMessage } from '../shapes.ts';
import { Icon } from '../../web/page/icon.tsx';
import { ask } from './api.ts';
import { Empty, Problem } from './elements.tsx';
import { dayKey, formatCount, formatDay } from './format.ts';
import { importedMetadata } from '../answers/data-parts.ts';
import { Message } from './message.tsx';
import { endOf, joined, jumpSize, pageSize, type Window } from './window.ts';

export interface TimelineProps {
  readonly conversation: ConversationDetails;
  /** Stands in the middle; without it, the end is shown. */
  readonly message: string | undefined;
  readonly as: string | undefined;
  /** Id of the newest message of the sandbox. */
  readonly newest: string;
  readonly onDetails: (message: ShownMessage) => void;
  readonly onThread: (key: string) => void;
}

/** Position of the scroller once rows are drawn: that of a row before, a row, or an end. */
type Aim = { readonly id: string; readonly top: number } | { readonly middle: string } | 'first' | 'last' | undefined;

/** Pixels from an end at which the next page is asked for. */
const near = 900;

/** The messages of a conversation, of which only a piece is there at a time. */
export function Timeline(props: TimelineProps) {
  const { conversation, message, newest } = props;
  const [window, setWindow] = useState<Window>();
  const [error, setError] = useState<string>();
  const [position, setPosition] = useState(0);
  const [marked, setMarked] = useState<string>();
  const scroller = useRef<HTMLDivElement>(null);
  const aim = useRef<Aim>(undefined);
  const isAsking = useRef(false);
  const asked = useRef(0);

  const fail = (problem: Error) => setError(problem.message);
  const page = (from: number, count = pageSize) =>
    ask<MessagePage>('messages', { conversation: conversation.id, from: Math.max(0, from), count });

  /** Shows the messages around a position. A later jump wins. */
  const jump = useCallback(
    async (wanted: number, next: Aim) => {
      const turn = ++asked.current;
      const found = await page(wanted - jumpSize / 2, jumpSize);
      if (turn !== asked.current) return;
      aim.current = next ?? { middle: found.rows[Math.min(wanted - found.from, found.rows.length - 1)]?.id ?? '' };
      setWindow(found);
    },
    [conversation.id],
  );
  const toFirst = () => jump(0, 'first').catch(fail);
  const toLast = () => jump(Math.max(0, conversation.count), 'last').catch(fail);
  const toMessage = async (id: string) => {
    const place = await ask<Place>('place', { message: id });
    if (place.conversation !== conversation.id) return;
    setMarked(place.id);
    await jump(place.position, { middle: place.id });
  };
  const toDay = async (day: string) => {
    const seconds = new Date(`${day}T00:00:00`).getTime() / 1000;
    if (Number.isNaN(seconds)) return;
    const place = await ask<Place>('place', { conversation: conversation.id, seconds: Math.floor(seconds) });
    setMarked(place.id);
    await jump(place.position, { middle: place.id });
  };

  useEffect(() => {
    setWindow(undefined);
    setMarked(undefined);
    void (message === undefined ? toLast() : toMessage(message).catch(fail));
  }, [conversation.id, message]);

  const extend = async (isBefore: boolean) => {
    if (!window || isAsking.current) return;
    isAsking.current = true;
    const turn = asked.current;
    try {
      const from = isBefore ? Math.max(0, window.from - pageSize) : endOf(window);
      const found = await page(from, isBefore ? window.from - from : pageSize);
      if (turn !== asked.current) return;
      aim.current = findAnchor(scroller.current);
      setWindow(joined(window, found));
    } finally {
      isAsking.current = false;
    }
  };

  const onScroll = () => {
    const { current } = scroller;
    if (!current || !window) return;
    const anchor = findAnchor(current);
    const index = anchor ? window.rows.findIndex(({ id }) => id === anchor.id) : 0;
    setPosition(window.from + Math.max(0, index));
    const below = current.scrollHeight - current.scrollTop - current.clientHeight;
    if (current.scrollTop < near && window.from > 0) void extend(true).catch(fail);
    else if (below < near && endOf(window) < window.total) void extend(false).catch(fail);
  };

  // What arrives while the end is looked at comes into sight.
  useEffect(() => {
    if (!window || endOf(window) < window.total || newest === '0') return;
    void page(endOf(window)).then((found) => {
      if (found.rows.length === 0) return;
      aim.current = isAtEnd(scroller.current) ? 'last' : findAnchor(scroller.current);
      setWindow(joined(window, found));
    }, fail);
  }, [newest]);

  useLayoutEffect(() => {
    settle(scroller.current, aim.current);
    aim.current = undefined;
    onScroll();
  }, [window]);

  if (error !== undefined) return <Problem>{error}</Problem>;
  if (!window) return <Empty>Reading…</Empty>;
  const total = window.total;
  return (
    <>
      <Bar
        position={Math.min(position, total - 1)}
        total={total}
        day={dayKey(window.rows[position - window.from]?.sentAt ?? conversation.lastAt)}
        onPosition={(wanted) => void jump(wanted, undefined).catch(fail)}
        onDay={(day) => void toDay(day).catch(fail)}
        onFirst={() => void toFirst()}
        onLast={() => void toLast()}
      />
      <div
        class="timeline"
        ref={scroller}
        role="feed"
        aria-label={`Messages of ${conversation.title}`}
        tabindex={0}
        onScroll={onScroll}
        onKeyDown={(event) => {
          if (event.target !== event.currentTarget || event.altKey || event.ctrlKey || event.metaKey) return;
          if (event.key !== 'Home' && event.key !== 'End') return;
          event.preventDefault();
          void (event.key === 'Home' ? toFirst() : toLast());
        }}
      >
        <Rows {...props} window={window} marked={marked} onJump={(id) => void toMessage(id).catch(fail)} />
      </div>
    </>
  );
}

interface RowsProps extends TimelineProps {
  readonly window: Window;
  readonly marked: string | undefined;
  readonly onJump: (id: string) => void;
}

function Rows({ window, marked, as, onDetails, onThread, onJump }: RowsProps) {
  const { rows, from, total, people, roots } = window;
  return (
    <>
      {from === 0 && <p class="edge">The beginning of the conversation</p>}
      {rows.map((message, index) => {
        const before = rows[index - 1];
        const isNewDay = !before || dayKey(before.sentAt) !== dayKey(message.sentAt);
        return (
          <article
            key={message.id}
            data-id={message.id}
            class={message.id === marked ? 'marked' : undefined}
            aria-posinset={from + index + 1}
            aria-setsize={total}
            aria-label={`${people[message.sender]?.name ?? message.sender}, message ${formatCount(from + index + 1)}`}
          >
            {isNewDay && (
              <p class="day">
                <span>{formatDay(message.sentAt)}</span>
              </p>
            )}
            <Message
              message={message}
              isContinued={!isNewDay && continues(before, message)}
              isOwn={message.sender === as}
              people={people}
              roots={roots}
              onDetails={onDetails}
              onThread={onThread}
              onJump={onJump}
            />
          </article>
        );
      })}
    </>
  );
}

/** Within five minutes, by the same sender, and both are said. */
const continues = (before: ShownMessage, message: ShownMessage): boolean =>
  before.sender === message.sender &&
  message.sentAt - before.sentAt < 300 &&
  [before, message].every(
    (one) => one.category !== 'action' && one.category !== 'call' && importedMetadata(one.data).system === undefined,
  );

interface BarProps {
  readonly position: number;
  readonly total: number;
  readonly day: string;
  readonly onPosition: (position: number) => void;
  readonly onDay: (day: string) => void;
  readonly onFirst: () => void;
  readonly onLast: () => void;
}

/** Ways to any place of a long conversation. */
function Bar({ position, total, day, onPosition, onDay, onFirst, onLast }: BarProps) {
  return (
    <div class="bar" role="toolbar" aria-label="Places in the conversation">
      <button type="button" onClick={onFirst} aria-label="First message">
        <Icon name="first" /> <span class="wide">First</span>
      </button>
      <input
        type="range"
        min={0}
        max={Math.max(0, total - 1)}
        value={position}
        aria-label="Position"
        aria-valuetext={`message ${formatCount(position + 1)} of ${formatCount(total)}`}
        onInput={(event) => onPosition(Number(event.currentTarget.value))}
      />
      <span class="soft count">
        {formatCount(position + 1)} of {formatCount(total)}
      </span>
      <input
        type="date"
        aria-label="Jump to a date"
        value={day}
        onChange={(event) => onDay(event.currentTarget.value)}
      />
      <button type="button" onClick={onLast} aria-label="Last message">
        <span class="wide">Last</span> <Icon name="last" />
      </button>
    </div>
  );
}

/** The first row that is seen, and where it stands. */
function findAnchor(scroller: HTMLElement | null): { readonly id: string; readonly top: number } | undefined {
  if (!scroller) return undefined;
  const edge = scroller.getBoundingClientRect().top;
  const rows = scroller.querySelectorAll<HTMLElement>(':scope > article');
  // Rows stand one below the other: halving finds the first that ends below the edge.
  let [low, high] = [0, rows.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (rows[middle]!.getBoundingClientRect().bottom > edge) high = middle;
    else low = middle + 1;
  }
  const row = rows[low];
  return row && { id: row.dataset.id!, top: row.getBoundingClientRect().top - edge };
}

const isAtEnd = (scroller: HTMLElement | null): boolean =>
  !scroller || scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight < 40;

function settle(scroller: HTMLElement | null, aim: Aim): void {
  if (!scroller || aim === undefined) return;
  if (aim === 'first' || aim === 'last') {
    scroller.scrollTop = aim === 'first' ? 0 : scroller.scrollHeight;
    return;
  }
  const id = 'middle' in aim ? aim.middle : aim.id;
  const row = scroller.querySelector(`article[data-id="${CSS.escape(id)}"]`);
  if (!row) return;
  const top = row.getBoundingClientRect().top - scroller.getBoundingClientRect().top;
  scroller.scrollTop += 'middle' in aim ? top - scroller.clientHeight / 3 : top - aim.top;
}
