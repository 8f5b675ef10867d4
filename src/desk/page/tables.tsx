import { useState } from 'preact/hooks';
import { countOf, Empty, Find, formatCount, useAnswer } from '../../viewer/page/door.tsx';
import type { Answered, SchemaView, TableRow, TableView } from '../shapes.ts';
import type { Desk } from './desk.ts';
import { Fault } from './elements.tsx';
import { Graph } from './graph.tsx';
import { asName } from './name.ts';
import { stepHref, tableHref } from './route.ts';
import { read } from './send.ts';
import { useDeed } from './use-deed.ts';

/** Tables that are listed at once. */
const listedMax = 100;

/** The tables of the export: as a picture, and as an equal list. */
export function Tables({ desk, of }: { readonly desk: Desk; readonly of: string | undefined }) {
  const { version } = desk.state;
  const { answer: schema, error } = useAnswer(() => read('schema'), [version]);
  const { error: failed, isBusy, act } = useDeed();
  const [last, setLast] = useState<Answered>();
  const choose = (table: string, role: string) =>
    asName(desk) &&
    void act(async () => {
      const text = JSON.stringify(table);
      setLast(await desk.write('answer', { card: `source.tables.${role}`, answers: [], text, by: desk.by }));
    });
  const undo = async () => setLast(await desk.write('undo'));
  return (
    <>
      <header class="step-head">
        <h1>Tables</h1>
        <a class="button" href={stepHref('decide')}>
          Decisions
        </a>
      </header>
      <p class="soft">
        A table with another role is read again: its columns are chosen again, and what is not clear is asked.
      </p>
      {(error ?? failed) && <Fault error={(error ?? failed)!} />}
      {last && (
        <p class="filters" role="status">
          Written to <bdi>{last.written.join(', ')}</bdi>
          {last.undo !== null && (
            <button type="button" disabled={isBusy} onClick={() => void act(undo)}>
              Undo: <bdi class="soft">{last.undo}</bdi>
            </button>
          )}
        </p>
      )}
      {!schema && !error && <Empty>Looking at the tables…</Empty>}
      {schema?.tables.length === 0 && <Empty>This export has no tables</Empty>}
      {schema && schema.tables.length > 0 && (
        <>
          <Graph schema={withoutIgnored(schema)} current={of} />
          <div class={of === undefined ? 'panes' : 'panes reading'}>
            <TableList schema={schema} current={of} isBusy={isBusy} onChoose={choose} />
            {of === undefined ? (
              <Empty>Choose a table to see its columns</Empty>
            ) : (
              <Table key={`${of} ${version}`} name={of} />
            )}
          </div>
        </>
      )}
    </>
  );
}

interface TableListProps {
  readonly schema: SchemaView;
  readonly current: string | undefined;
  readonly isBusy: boolean;
  readonly onChoose: (table: string, role: string) => void;
}

const withoutIgnored = (schema: SchemaView): SchemaView => ({
  ...schema,
  tables: schema.tables.map((table) => (table.role === 'ignored' ? { ...table, role: null } : table)),
});

/** The roles that a table may have, in words. */
const roles = {
  messages: 'messages',
  users: 'people',
  conversations: 'rooms',
  members: 'members',
  attachments: 'files',
  reactions: 'reactions',
  edits: 'earlier versions',
  ignored: 'ignored',
};

const sayRole = (role: string): string => roles[role as keyof typeof roles] ?? role;

function TableList({ schema: { tables, total }, current, isBusy, onChoose }: TableListProps) {
  const [search, setSearch] = useState('');
  const [shown, setShown] = useState(listedMax);
  const words = search.toLowerCase();
  const found = tables.filter(({ name }) => name.toLowerCase().includes(words));
  return (
    <nav class="pane-list" aria-label="Tables">
      <Find label="Find a table" value={search} onInput={setSearch} />
      <ul class="rows">
        {found.slice(0, shown).map((table) => (
          <li key={table.name} class="with-role">
            <a class="row" href={tableHref(table.name)} aria-current={table.name === current ? 'page' : undefined}>
              <span class="row-text">
                <span class="row-head">
                  <bdi class="row-title">{table.name}</bdi>
                  <span class="soft">{formatRows(table)}</span>
                </span>
                {table.role === null && table.why !== null && (
                  <span class="soft" dir="auto">
                    {table.why}
                  </span>
                )}
              </span>
            </a>
            <select
              aria-label={`Role of ${table.name}`}
              disabled={isBusy}
              value={table.role ?? ''}
              onChange={(event) => onChoose(table.name, event.currentTarget.value)}
            >
              {table.role === null && <option value="">not read</option>}
              {Object.entries(roles).map(([role, words]) => (
                <option key={role} value={role}>
                  {words}
                </option>
              ))}
            </select>
          </li>
        ))}
      </ul>
      {found.length > shown && (
        <button type="button" onClick={() => setShown(shown + listedMax)}>
          Show more of {formatCount(found.length)}
        </button>
      )}
      {found.length === 0 && <Empty>No table has this name</Empty>}
      {total > tables.length && <p class="soft">{formatCount(total - tables.length)} more are not listed</p>}
    </nav>
  );
}

const formatRows = ({ rows }: TableRow): string => (rows === null ? '' : countOf(rows, 'row'));

function Table({ name }: { readonly name: string }) {
  const { answer: view, error } = useAnswer(() => read('table', { name }), [name]);
  return (
    <article class="decision" aria-label="Table">
      <a class="back" href={tableHref()}>
        ← All tables
      </a>
      {error && <Fault error={error} />}
      {!view && !error && <Empty>Looking…</Empty>}
      {view && <Columns view={view} />}
    </article>
  );
}

function Columns({ view: { table, columns, rows } }: { readonly view: TableView }) {
  return (
    <>
      <h2 dir="auto">{table.name}</h2>
      <p>
        {table.role !== null && <b>{sayRole(table.role)} </b>}
        <span class="soft">
          {formatRows(table)}
          {formatRows(table) !== '' && table.why !== null && ' · '}
          {table.why !== null && <bdi>{table.why}</bdi>}
        </span>
      </p>
      <section class="parts" aria-label="Columns" tabindex={0}>
        <table>
          <thead>
            <tr>
              <th scope="col">Column</th>
              <th scope="col">Type</th>
              <th scope="col">Read as</th>
              {rows.map((_, index) => (
                <th key={index} scope="col">
                  Row {index + 1}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {columns.map((column, at) => (
              <tr key={column.name}>
                <th scope="row">
                  <bdi>{column.name}</bdi>
                  {column.isKey && <span class="tag">key</span>}
                </th>
                <td class="words name" dir="auto">
                  {column.type}
                </td>
                <td class="words name" dir="auto">
                  {column.means}
                </td>
                {rows.map((row, index) => (
                  <td key={index} class="words">
                    <bdi class="value">{row[at]}</bdi>
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {rows.length === 0 && <p class="soft">Rows are shown only of the table of messages.</p>}
    </>
  );
}
