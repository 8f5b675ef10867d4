import { useState } from 'preact/hooks';
import { countOf, dayKey, Empty, Find, formatCount, More } from '../../viewer/page/door.tsx';
import type { ConversationOrder, ConversationRow, ConversationSearch, ConversationsPage } from '../shapes.ts';
import { ConversationForm } from './conversation-form.tsx';
import type { Desk } from './desk.ts';
import { Fault } from './elements.tsx';
import { HowFarBack } from './how-far-back.tsx';
import { asName } from './name.ts';
import { stepHref } from './route.ts';
import { useRows } from './rows.ts';
import { useDeed } from './use-deed.ts';

const types: Readonly<Record<NonNullable<ConversationRow['type']>, string>> = {
  public: 'Open group',
  private: 'Private group',
  'group-direct': 'Chat of several',
  direct: 'Chat of two',
};

const columns: readonly (readonly [order: ConversationOrder, title: string])[] = [
  ['name', 'Name'],
  ['type', 'Type'],
  ['members', 'Members'],
  ['messages', 'Messages'],
  ['first', 'From'],
  ['last', 'To'],
];

/** The second step: which conversations are moved, how far back, how they are called and who may see them. */
export function Conversations({ desk }: { readonly desk: Desk }) {
  const [search, setSearch] = useState<ConversationSearch>({});
  const [order, setOrder] = useState<TableProps['order']>({ by: 'messages', isReversed: false });
  const [changes, setChanges] = useState(0);
  const { page, setPage, error, more } = useRows(
    'conversations',
    { ...emptySearch, ...search, order: order.by, isReversed: String(order.isReversed) },
    [desk.changesElsewhere, changes],
  );
  const replace = (row: ConversationRow | null, undo: string | null) => {
    if (row === null) setChanges(changes + 1);
    else setPage((shown) => shown && { ...withRow(shown, row), undo });
  };
  return (
    <>
      <header class="step-head">
        <h1>{page?.state === 'ready' ? countOf(page.count, 'conversation') : 'Conversations'}</h1>
        {page?.undo && <Undo desk={desk} what={page.undo} onUndo={() => setChanges(changes + 1)} />}
      </header>
      {error && <Fault error={error} />}
      {!page && !error && <Empty>Reading the conversations…</Empty>}
      {page && page.state !== 'ready' && <NotYet state={page.state} />}
      {page?.state === 'ready' && (
        <>
          <Moved page={page} />
          <HowFarBack desk={desk} page={page} onChange={() => setChanges(changes + 1)} />
          <Filters search={search} onSearch={setSearch} types={page.types} />
          <Several desk={desk} page={page} search={search} onChange={replace} />
          {page.found === 0 && <Empty>No conversation is found</Empty>}
          {page.found > 0 && <Table {...{ desk, page, order, onChange: replace }} onOrder={setOrder} />}
          <More more={more} />
        </>
      )}
    </>
  );
}

const emptySearch = { search: undefined, type: undefined, show: undefined };

function withRow(page: ConversationsPage, row: ConversationRow): ConversationsPage {
  const before = page.rows.find(({ id }) => id === row.id);
  const by = Number(before?.isExcluded ?? row.isExcluded) - Number(row.isExcluded);
  return {
    ...page,
    rows: page.rows.map((one) => (one.id === row.id ? row : one)),
    moved: page.moved + by,
    foundMoved: page.foundMoved + by,
    movedMessages: page.movedMessages + by * row.messages,
  };
}

function NotYet({ state }: Pick<ConversationsPage, 'state'>) {
  if (state === 'counting') return <p class="soft">They are listed once the export is counted.</p>;
  return (
    <p class="notice">
      {state === 'none' ? (
        <a href={stepHref('source')}>Choose an export first</a>
      ) : (
        <>
          They are listed once it is <a href={stepHref('decide')}>decided</a> how the export is read
        </>
      )}
    </p>
  );
}

const Moved = ({ page: { moved, listed, count, movedMessages, messages } }: { readonly page: ConversationsPage }) => (
  <p class="soft">
    {formatCount(moved)} of {formatCount(listed)} are moved, with {formatCount(movedMessages)} of{' '}
    {countOf(messages, 'message')}. A change holds from the next plan on.
    {count > listed && ` The ${formatCount(count - listed)} smallest are not listed: they are moved.`}
  </p>
);

function Undo({ desk, what, onUndo }: { readonly desk: Desk; readonly what: string; readonly onUndo: () => void }) {
  const { error, isBusy, act } = useDeed();
  const undo = () => act(() => desk.write('undo').then(onUndo));
  return (
    <span class="ways">
      <button type="button" class="quiet" disabled={isBusy} onClick={() => void undo()} title={what}>
        Undo the last change
      </button>
      {error && <Fault error={error} />}
    </span>
  );
}

interface FiltersProps extends Pick<ConversationsPage, 'types'> {
  readonly search: ConversationSearch;
  readonly onSearch: (search: ConversationSearch) => void;
}

const Filters = ({ search, onSearch, types: found }: FiltersProps) => (
  <div class="filters">
    <Find
      label="Find a conversation"
      value={search.search ?? ''}
      onInput={(words) => onSearch({ ...search, search: words || undefined })}
    />
    <select
      aria-label="Type"
      value={search.type ?? ''}
      onChange={({ currentTarget: { value } }) => onSearch({ ...search, type: value || undefined })}
    >
      <option value="">Every type</option>
      {found.map((type) => (
        <option key={type} value={type}>
          {types[type as keyof typeof types]}
        </option>
      ))}
    </select>
    <select
      aria-label="Show"
      value={search.show ?? ''}
      onChange={({ currentTarget: { value } }) =>
        onSearch({ ...search, show: (value || undefined) as ConversationSearch['show'] })
      }
    >
      <option value="">Moved or not</option>
      <option value="moved">Moved</option>
      <option value="left-out">Left out</option>
    </select>
  </div>
);

interface SeveralProps {
  readonly desk: Desk;
  readonly page: ConversationsPage;
  readonly search: ConversationSearch;
  readonly onChange: (row: ConversationRow | null, undo: string | null) => void;
}

/** Ticks all that the search finds, or none of them, as one change. */
function Several({ desk, page: { found, foundMoved }, search, onChange }: SeveralProps) {
  const { error, isBusy, act } = useDeed();
  const set = (isExcluded: boolean) =>
    asName(desk) &&
    void act(async () => {
      const { undo } = await desk.write('conversations', { about: search, isExcluded, by: desk.by });
      onChange(null, undo);
    });
  return (
    <p class="filters">
      <button type="button" disabled={isBusy || foundMoved === found} onClick={() => set(false)}>
        Move all {formatCount(found)}
      </button>
      <button type="button" disabled={isBusy || foundMoved === 0} onClick={() => set(true)}>
        Leave all {formatCount(found)} out
      </button>
      {error && <Fault error={error} />}
    </p>
  );
}

interface TableProps extends Omit<SeveralProps, 'search'> {
  readonly order: { readonly by: ConversationOrder; readonly isReversed: boolean };
  readonly onOrder: (order: TableProps['order']) => void;
}

/** Those of most, or the latest, come first. */
const isCount = (by: ConversationOrder): boolean => by === 'messages' || by === 'members' || by === 'last';

const Table = ({ desk, page, order, onChange, onOrder }: TableProps) => (
  <table class="conversations" aria-label="Conversations">
    <thead>
      <tr>
        <th scope="col">
          <span class="unseen">Moved</span>
        </th>
        {columns.map(([by, title]) => (
          <th
            key={by}
            scope="col"
            class={by}
            aria-sort={order.by === by ? (order.isReversed === isCount(by) ? 'ascending' : 'descending') : undefined}
          >
            <button
              type="button"
              class="quiet"
              onClick={() => onOrder({ by, isReversed: order.by === by && !order.isReversed })}
            >
              {title}
            </button>
          </th>
        ))}
        <th scope="col" class="over-time">
          Over time
        </th>
        <th scope="col">
          <span class="unseen">Change</span>
        </th>
      </tr>
    </thead>
    <tbody>
      {page.rows.map((row) => (
        <Row key={row.id} {...{ desk, row, onChange }} />
      ))}
    </tbody>
  </table>
);

interface RowProps extends Pick<SeveralProps, 'desk' | 'onChange'> {
  readonly row: ConversationRow;
}

function Row({ desk, row, onChange }: RowProps) {
  const { id, title, rename, type, members, messages, firstAtMs, lastAtMs, bins, isExcluded } = row;
  const [isOpen, setOpen] = useState(false);
  const { error, isBusy, act } = useDeed();
  // Shown at once: to write a long list takes longer than a click.
  const [wished, setWished] = useState<boolean>();
  const isLeftOut = wished ?? isExcluded;
  const save = (change: Partial<Pick<ConversationRow, 'isExcluded' | 'rename' | 'access' | 'owner'>>) => {
    if (!asName(desk)) return;
    setWished(change.isExcluded);
    void act(async () => {
      const changed = await desk.write('conversations', { about: { id }, ...change, by: desk.by });
      onChange(changed.row, changed.undo);
    }).finally(() => setWished(undefined));
  };
  return (
    <>
      <tr class={isLeftOut ? 'left-out' : undefined}>
        <td>
          <input
            type="checkbox"
            aria-label={`Move ${title}`}
            checked={!isLeftOut}
            onChange={({ currentTarget }) => {
              const isTicked = currentTarget.checked;
              // Without a name nothing is changed.
              currentTarget.checked = !isLeftOut;
              save({ isExcluded: !isTicked });
            }}
          />
        </td>
        <th scope="row" class="name">
          <bdi>{rename || title}</bdi>
          {rename !== '' && (
            <span class="soft">
              {' '}
              was <bdi>{title}</bdi>
            </span>
          )}
        </th>
        <td class="type">{type === null ? '' : types[type]}</td>
        <td class="members">{members ? formatCount(members) : ''}</td>
        <td class="messages">{formatCount(messages)}</td>
        <td class="first">{firstAtMs === null ? '' : dayKey(firstAtMs / 1000)}</td>
        <td class="last">{lastAtMs === null ? '' : dayKey(lastAtMs / 1000)}</td>
        <td class="over-time">
          <Sparkline bins={bins} />
        </td>
        <td>
          {type !== 'direct' && (
            <button type="button" class="quiet" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
              Change<span class="unseen"> {title}</span>
            </button>
          )}
        </td>
      </tr>
      {(isOpen || error) && (
        <tr>
          <td colSpan={columns.length + 3}>
            {isOpen && <ConversationForm row={row} isBusy={isBusy} onSave={save} />}
            {error && <Fault error={error} />}
          </td>
        </tr>
      )}
    </>
  );
}

/** Bars of messages over time, on the same axis in every row. */
function Sparkline({ bins }: Pick<ConversationRow, 'bins'>) {
  const most = Math.max(1, ...bins);
  const path = bins.map((count, at) => (count === 0 ? '' : `M${at} 10v-${(1 + (9 * count) / most).toFixed(1)}h.8V10z`));
  return (
    <svg class="sparkline" viewBox={`0 0 ${Math.max(1, bins.length)} 10`} preserveAspectRatio="none" aria-hidden="true">
      <path d={path.join('')} />
    </svg>
  );
}
