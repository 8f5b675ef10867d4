import { useState } from 'preact/hooks';
import { Empty, formatCount } from '../../viewer/page/door.tsx';
import type { PersonRow } from '../shapes.ts';
import type { Desk } from './desk.ts';
import { Duplicates, useDuplicates } from './duplicates.tsx';
import { Fault, More, SearchField } from './elements.tsx';
import { PeopleTable } from './people-table.tsx';
import { PersonLine } from './person.tsx';
import { useRows } from './rows.ts';
import { PlanButton } from './run-button.tsx';

/** The third step: which user each author becomes. */
export function People({ desk, of = '' }: { readonly desk: Desk; readonly of: string | undefined }) {
  const [search, setSearch] = useState(of);
  const [only, setOnly] = useState('all');
  const [merges, setMerges] = useState(0);
  const list = useRows('people', { search, only }, [desk.changesElsewhere, merges]);
  const { page, setPage, error, more } = list;
  // Asked for at once: to draw the people takes as long as to find these.
  const duplicates = useDuplicates(desk.state.version);
  const replace = (row: PersonRow) => {
    setPage((shown) => shown && { ...shown, rows: shown.rows.map((one) => (one.id === row.id ? row : one)) });
  };
  return (
    <>
      <header class="step-head">
        <h1>{page?.people ? `${formatCount(page.people)} people` : 'People'}</h1>
      </header>
      <p class="soft">
        Each author becomes a user of the chat service, with an id there: the uid. A template makes the uids; one that
        you type in here is used instead.
      </p>
      {page?.people && page.unknown > 0 && (
        <p class="soft">
          Described by the export: {formatCount(page.people - page.unknown)}. Named by messages or conversations alone:{' '}
          {formatCount(page.unknown)}.
        </p>
      )}
      {error && <Fault error={error} />}
      {page && !page.isReady && (
        <div class="notice">
          People are known after a plan. <PlanButton desk={desk} isMain />
        </div>
      )}
      {!page && !error && <Empty>Reading the people of the plan…</Empty>}
      {page?.isReady && (
        <>
          <div class="filters">
            <SearchField label="Find a person, an address, a uid" value={search} onSearch={setSearch} />
            <select aria-label="Show" value={only} onChange={(event) => setOnly(event.currentTarget.value)}>
              <option value="all">Everyone</option>
              <option value="open">Without a uid of their own</option>
              <option value="set">With a uid of their own</option>
            </select>
          </div>
          {page.rows.length === 0 && <Empty>{search === '' ? 'No people' : 'No person matches'}</Empty>}
          <ul class="map" aria-label="People">
            {page.rows.map((row) => (
              <PersonLine key={row.id} desk={desk} row={row} onChange={replace} />
            ))}
          </ul>
          <More more={more} />
          {page.leftOut > 0 && (
            <p class="soft">
              {formatCount(page.leftOut)} people have an id that a spreadsheet takes for a formula: they are not in the
              table. Set them in <code>people.uids</code> of the mapping.
            </p>
          )}
          <Duplicates desk={desk} found={duplicates} onMerge={() => setMerges(merges + 1)} />
          <PeopleTable desk={desk} onTaken={() => setMerges(merges + 1)} />
        </>
      )}
    </>
  );
}
