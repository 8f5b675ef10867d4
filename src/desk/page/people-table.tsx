import { useState } from 'preact/hooks';
import { countOf, formatCount } from '../../viewer/page/door.tsx';
import type { ImportedPeople } from '../shapes.ts';
import type { Desk } from './desk.ts';
import { Fault } from './elements.tsx';
import { asName } from './name.ts';
import { dataPath, sendPeople } from './send.ts';

/** The table of uids, to be edited elsewhere: as a file, out and in. */
export function PeopleTable({ desk, onTaken }: { readonly desk: Desk; readonly onTaken: () => void }) {
  const [taken, setTaken] = useState<ImportedPeople>();
  const [error, setError] = useState<Error>();
  const take = async (file: File | undefined) => {
    if (!file || !asName(desk)) return;
    try {
      setError(undefined);
      setTaken(await desk.change((version) => sendPeople(file, { version, by: desk.by })));
      onTaken();
    } catch (problem) {
      setError(problem as Error);
    }
  };
  return (
    <section aria-labelledby="people-table">
      <h2 id="people-table">As a table</h2>
      <p class="soft">Save the people as CSV, fill in the column uid in a spreadsheet, and read it back.</p>
      <p class="filters">
        <a class="button" href={dataPath('people.csv')} download>
          Save as CSV
        </a>
        <label class="button file-button">
          Read a CSV
          <input
            type="file"
            accept=".csv,text/csv"
            class="unseen"
            onChange={({ currentTarget }) => {
              void take(currentTarget.files?.[0]);
              currentTarget.value = '';
            }}
          />
        </label>
      </p>
      {taken && taken.faults.length === 0 && <Taken taken={taken} />}
      {taken && taken.faults.length > 0 && <Faults table={taken} />}
      {error && <Fault error={error} />}
    </section>
  );
}

/** Changes that a table made. */
function Taken({ taken: { set, changed, cleared, unmatched, shared } }: { readonly taken: ImportedPeople }) {
  const facts = [
    `${countOf(set, 'uid')} read`,
    `${formatCount(changed)} changed`,
    ...(cleared > 0 ? [`${formatCount(cleared)} cleared`] : []),
    ...(unmatched > 0 ? [`${formatCount(unmatched)} of people who are not in the plan`] : []),
  ];
  return (
    <div role="status">
      <p>{facts.join(', ')}</p>
      {shared > 0 && <p class="notice">{countOf(shared, 'uid')} belong to several people: a plan refuses them</p>}
    </div>
  );
}

const Faults = ({ table: { faults, faultCount } }: { readonly table: ImportedPeople }) => (
  <div class="problem" role="alert">
    <p>Nothing was changed: the table has {countOf(faultCount, 'fault')}</p>
    <ul>
      {faults.map((fault, index) => (
        <li key={index}>
          <bdi>{fault}</bdi>
        </li>
      ))}
    </ul>
  </div>
);
