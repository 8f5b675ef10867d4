import { useState } from 'preact/hooks';
import { Empty, Find, formatCount, formatMoment, useAnswer } from '../../viewer/page/door.tsx';
import type { ConversationLine } from '../shapes.ts';
import type { Desk } from './desk.ts';
import { Fault } from './elements.tsx';
import { asName } from './name.ts';
import { PlanButton } from './run-button.tsx';
import { read } from './send.ts';
import { useDeed } from './use-deed.ts';

/** Rows that are drawn before a search narrows them. */
const drawnMax = 200;

/** The conversations of the plan: which are sent, how they are called, and who may see them. */
export function Conversations({ desk }: { readonly desk: Desk }) {
  const { answer: view, error } = useAnswer(() => read('conversations'), [desk.state.version]);
  const [search, setSearch] = useState('');
  const words = search.toLowerCase();
  const found = view?.rows.filter(({ id, name, rename }) =>
    [id, name, rename].some((text) => text.toLowerCase().includes(words)),
  );
  return (
    <>
      <header class="step-head">
        <h1>{view?.isReady ? `${formatCount(view.count)} conversations` : 'Conversations'}</h1>
      </header>
      {error && <Fault error={error} />}
      {!view && !error && <Empty>Reading the conversations…</Empty>}
      {view && !view.isReady && (
        <div class="notice">
          Conversations are known after a plan. <PlanButton desk={desk} isMain />
        </div>
      )}
      {view?.isReady && (
        <>
          <p class="soft">
            Those with a tick are sent. A change holds from the next plan on.
            {view.count > view.rows.length &&
              ` These are the ${formatCount(view.rows.length)} largest: All choices takes the ids or names of others.`}
          </p>
          <div class="filters">
            <Find label="Find a conversation" value={search} onInput={setSearch} />
          </div>
          {found?.length === 0 && <Empty>No conversation is called so</Empty>}
          {found && found.length > 0 && <Table desk={desk} rows={found.slice(0, drawnMax)} />}
          {found && found.length > drawnMax && (
            <p class="soft">{formatCount(found.length - drawnMax)} more: search for them</p>
          )}
        </>
      )}
    </>
  );
}

const Table = ({ desk, rows }: { readonly desk: Desk; readonly rows: readonly ConversationLine[] }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: with the keyboard, a wide table is moved by its arrows.
  <section class="parts" aria-label="Conversations" tabIndex={0}>
    <table aria-label="Conversations">
      <thead>
        <tr>
          {['Send', 'Name', 'Messages', 'From', 'To', 'Who may see it'].map((title) => (
            <th key={title} scope="col">
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <Row key={`${row.id} ${row.rename}`} desk={desk} row={row} />
        ))}
      </tbody>
    </table>
  </section>
);

function Row({ desk, row }: { readonly desk: Desk; readonly row: ConversationLine }) {
  const { id, name, isGroup, read: rows, planned, firstAtMs, lastAtMs, isExcluded, rename, type } = row;
  const [typed, setTyped] = useState(rename);
  const { error, isBusy, act } = useDeed();
  const save = (change: Partial<Pick<ConversationLine, 'isExcluded' | 'rename' | 'type'>>) =>
    asName(desk) ? act(() => desk.write('conversation', { id, ...change, by: desk.by })) : undefined;
  const saveName = () => typed.trim() !== rename && void save({ rename: typed.trim() });
  return (
    <tr class={isExcluded ? 'left-out' : undefined}>
      <td class="words tick">
        <input
          type="checkbox"
          aria-label={`Send ${name}`}
          checked={!isExcluded}
          disabled={isBusy}
          onChange={({ currentTarget }) => void save({ isExcluded: !currentTarget.checked })}
        />
      </td>
      <th scope="row">
        {isGroup ? (
          <input
            type="text"
            aria-label={`Name of ${name}`}
            placeholder={name}
            value={typed}
            disabled={isBusy}
            onInput={(event) => setTyped(event.currentTarget.value)}
            onBlur={saveName}
            onKeyDown={(event) => event.key === 'Enter' && saveName()}
          />
        ) : (
          <bdi>{name}</bdi>
        )}
        {error && <Fault error={error} />}
      </th>
      <td>{formatCount(planned || rows)}</td>
      <td>{firstAtMs === null ? '' : formatMoment(firstAtMs / 1000)}</td>
      <td>{lastAtMs === null ? '' : formatMoment(lastAtMs / 1000)}</td>
      <td class="words">
        {isGroup ? (
          <select
            aria-label={`Who may see ${name}`}
            value={type}
            disabled={isBusy}
            onChange={({ currentTarget }) => void save({ type: currentTarget.value as ConversationLine['type'] })}
          >
            <option value="">As all groups</option>
            <option value="private">Members</option>
            <option value="public">Everyone</option>
          </select>
        ) : (
          <span class="soft">These two people</span>
        )}
      </td>
    </tr>
  );
}
