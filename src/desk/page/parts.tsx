import { useState } from 'preact/hooks';
import { Find, formatCount, formatMoment, More } from '../../viewer/page/door.tsx';
import type { PartRow } from '../shapes.ts';
import { Fault } from './elements.tsx';
import { useRows } from './rows.ts';

interface PartsProps {
  /** Everything is asked again when it changes. */
  readonly version: string;
}

/** Files and tables of the export, with what they hold. */
export function Parts({ version }: PartsProps) {
  const [search, setSearch] = useState('');
  const { page, more, error } = useRows('parts', { search }, [version]);
  if (error) return <Fault error={error} />;
  if (!page || (page.rows.length === 0 && search === '')) return null;
  const { rows } = page;
  // A database has no values in most of them until it is decided how it is read.
  const shown = columns.filter(([, textIn]) => rows.some((row) => textIn(row) !== ''));
  return (
    <>
      <h2 id="parts">Files and tables</h2>
      <Find label="Find a file" value={search} onInput={setSearch} />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: with the keyboard, a wide table is moved by its arrows. */}
      <section class="parts" aria-labelledby="parts" tabIndex={0}>
        <table aria-labelledby="parts">
          <thead>
            <tr>
              <th scope="col">Name</th>
              {shown.map(([name]) => (
                <th key={name} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={`${row.path} ${row.table}`}>
                <th scope="row">
                  <PartName row={row} />
                </th>
                {shown.map(([name, textIn]) => (
                  <td key={name}>{textIn(row)}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      <More more={more} />
    </>
  );
}

const countIn = (count: number): string => (count === 0 ? '' : formatCount(count));

/** A file of no rows says so. */
const rowsIn = ({ rows, isAbout }: PartRow): string =>
  rows === null ? '' : `${isAbout ? 'about ' : ''}${formatCount(rows)}`;

const momentIn = (ms: number | null): string => (ms === null ? '' : formatMoment(ms / 1000));

/** The columns after the name, with their texts. */
const columns: readonly (readonly [name: string, textIn: (row: PartRow) => string])[] = [
  ['Read as', ({ role }) => role ?? ''],
  ['Rows', rowsIn],
  ['People', ({ people }) => countIn(people)],
  ['Conversations', ({ conversations }) => countIn(conversations)],
  ['From', ({ firstAtMs }) => momentIn(firstAtMs)],
  ['To', ({ lastAtMs }) => momentIn(lastAtMs)],
];

function PartName({ row: { path, table } }: { readonly row: PartRow }) {
  return (
    <>
      <bdi>{table ?? path}</bdi>
      {table !== undefined && path !== '' && (
        <span class="soft">
          {' '}
          <bdi>{path}</bdi>
        </span>
      )}
    </>
  );
}

/** Files that nothing reads, with the reason. */
export function Ignored({ version }: PartsProps) {
  const { page, more, error } = useRows('ignored', {}, [version]);
  if (error) return <Fault error={error} />;
  if (!page || page.rows.length === 0) return null;
  return (
    <>
      <h2>Ignored files</h2>
      <ul class="problems">
        {page.rows.map(({ reason, count, first }) => (
          <li key={reason}>
            <bdi>{first}</bdi>
            {count > 1 && <> and {formatCount(count - 1)} more</>}{' '}
            <span class="soft" dir="auto">
              {reason}
            </span>
          </li>
        ))}
      </ul>
      <More more={more} />
    </>
  );
}
