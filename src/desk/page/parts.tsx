import { useState } from 'preact/hooks';
import { formatCount, formatMoment, Problem, usePages } from '../../viewer/page/door.tsx';
import type { IgnoredRow, PartRow } from '../shapes.ts';
import { More, SearchField } from './elements.tsx';
import { dataOf } from './send.ts';

/** Files and tables of the export, with what they hold. */
export function Parts() {
  const [search, setSearch] = useState('');
  const { rows, more, error } = usePages<PartRow>(dataOf('parts'), search);
  if (error !== undefined) return <Problem>{error}</Problem>;
  if (!rows || (rows.length === 0 && search === '')) return null;
  const haveRoles = rows.some(({ role }) => role !== null);
  return (
    <>
      <h2 id="parts">Files and tables</h2>
      <SearchField label="Find a file" value={search} onSearch={setSearch} />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: with the keyboard, a wide table is moved by its arrows. */}
      <section class="parts" aria-labelledby="parts" tabIndex={0}>
        <table aria-labelledby="parts">
          <thead>
            <tr>
              <th scope="col">Name</th>
              {haveRoles && <th scope="col">Read as</th>}
              <th scope="col">Rows</th>
              <th scope="col">People</th>
              <th scope="col">Conversations</th>
              <th scope="col">From</th>
              <th scope="col">To</th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <Part key={`${row.path} ${row.table}`} row={row} hasRole={haveRoles} />
            ))}
          </tbody>
        </table>
      </section>
      <More more={more} />
    </>
  );
}

function Part({ row, hasRole }: { readonly row: PartRow; readonly hasRole: boolean }) {
  const { path, table, role, rows, isAbout, people, conversations, firstAtMs, lastAtMs } = row;
  return (
    <tr>
      <th scope="row">
        <bdi>{table ?? path}</bdi>
        {table !== undefined && path !== '' && (
          <span class="soft">
            {' '}
            <bdi>{path}</bdi>
          </span>
        )}
      </th>
      {hasRole && <td>{role ?? <span class="soft">not read</span>}</td>}
      <td>{`${isAbout && rows !== null ? 'about ' : ''}${countIn(rows)}`}</td>
      <td>{countIn(people)}</td>
      <td>{countIn(conversations)}</td>
      <td>{firstAtMs !== null && formatMoment(firstAtMs / 1000)}</td>
      <td>{lastAtMs !== null && formatMoment(lastAtMs / 1000)}</td>
    </tr>
  );
}

const countIn = (count: number | null): string => (count === null || count === 0 ? '' : formatCount(count));

/** Files that nothing reads, with the reason. */
export function Ignored() {
  const { rows, more, error } = usePages<IgnoredRow>(dataOf('ignored'), '');
  if (error !== undefined) return <Problem>{error}</Problem>;
  if (!rows || rows.length === 0) return null;
  return (
    <>
      <h2>Ignored files</h2>
      <ul class="problems">
        {rows.map(({ reason, count, first }) => (
          <li key={reason}>
            <bdi>{first}</bdi>
            {count > 1 && <> and {formatCount(count - 1)} more</>}{' '}
            <span class="soft">
              <bdi>{reason}</bdi>
            </span>
          </li>
        ))}
      </ul>
      <More more={more} />
    </>
  );
}
