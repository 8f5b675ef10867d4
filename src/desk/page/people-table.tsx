import { useState } from 'preact/hooks';
import { countOf } from '../../viewer/page/door.tsx';
import type { PeopleTaken } from '../shapes.ts';
import type { Desk } from './desk.ts';
import { Fault } from './elements.tsx';
import { asName } from './name.ts';
import { peoplePath, sendPeople } from './send.ts';

/** Faults of a table that are listed. */
const faultsMax = 20;

/** The table of uids, to be edited elsewhere: as a file, out and in. */
export function PeopleTable({ desk, onTaken }: { readonly desk: Desk; readonly onTaken: () => void }) {
  const [taken, setTaken] = useState<PeopleTaken>();
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
        <a class="button" href={peoplePath} download>
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
      {taken && taken.faults.length === 0 && <p role="status">{countOf(taken.set, 'uid')} read</p>}
      {taken && taken.faults.length > 0 && <Faults faults={taken.faults} />}
      {error && <Fault error={error} />}
    </section>
  );
}

const Faults = ({ faults }: Pick<PeopleTaken, 'faults'>) => (
  <div class="problem" role="alert">
    <p>Nothing was changed: the table has {countOf(faults.length, 'fault')}</p>
    <ul>
      {faults.slice(0, faultsMax).map((fault, index) => (
        <li key={index}>
          <bdi>{fault}</bdi>
        </li>
      ))}
    </ul>
  </div>
);
