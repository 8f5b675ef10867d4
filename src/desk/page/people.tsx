import { useState } from 'preact/hooks';
import { countOf, Empty, Find, formatCount, More } from '../../viewer/page/door.tsx';
import type { PersonRow, ImportedPeople, DuplicateGroup } from '../shapes.ts';
import type { Desk } from './desk.ts';
import { Fault } from './elements.tsx';
import { PersonLine, Who } from './person.tsx';
import { Choices } from './report-parts.tsx';
import { useRows } from './rows.ts';
import { PlanButton } from './run-button.tsx';
import { asName } from './name.ts';
import { dataPath, sendPeople } from './send.ts';
import { useDeed } from './use-deed.ts';

/** The fourth step: which user each author becomes. */
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
          <Choices version={desk.state.version} of="people" />
          <div class="filters">
            <Find label="Find a person, an address, a uid" value={search} onInput={setSearch} />
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
          <Seen desk={desk} />
        </>
      )}
    </>
  );
}

/** Who says that the people are right: kept with the decisions. */
function Seen({ desk }: { readonly desk: Desk }) {
  const { error, isBusy, act } = useDeed();
  const isOpen = desk.state.steps.some(({ step, status }) => step === 'people' && status === 'open');
  if (!isOpen) return null;
  return (
    <p class="filters">
      <button
        type="button"
        class="main"
        disabled={isBusy}
        onClick={() => asName(desk) && void act(() => desk.write('people-seen', { by: desk.by }))}
      >
        These people are right
      </button>
      {error && <Fault error={error} />}
    </p>
  );
}

/** The table of uids, to be edited elsewhere: as a file, out and in. */
function PeopleTable({ desk, onTaken }: { readonly desk: Desk; readonly onTaken: () => void }) {
  const [taken, setTaken] = useState<ImportedPeople>();
  const { error, act } = useDeed();
  const take = async (file: File | undefined) => {
    if (!file || !asName(desk)) return;
    setTaken(await desk.change((version) => sendPeople(file, { version, by: desk.by })));
    onTaken();
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
              const file = currentTarget.files?.[0];
              void act(() => take(file));
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
        <li key={index} dir="auto">
          {fault}
        </li>
      ))}
    </ul>
  </div>
);

const why: Readonly<Record<DuplicateGroup['by'], string>> = {
  email: 'the same e-mail address',
  name: 'the same name',
  handle: 'the same handle',
};

/** Asks for people who may be one, by what they have in common. */
function useDuplicates(version: string) {
  const [by, setBy] = useState<DuplicateGroup['by']>('email');
  return { by, setBy, ...useRows('duplicates', { by }, [version]) };
}

interface DuplicatesProps {
  readonly desk: Desk;
  readonly found: ReturnType<typeof useDuplicates>;
  readonly onMerge: () => void;
}

/** People who may be one. None is chosen beforehand: that they look alike is no proof. */
function Duplicates({ desk, found: { by, setBy, page, error, more }, onMerge }: DuplicatesProps) {
  return (
    <section aria-labelledby="duplicates">
      <h2 id="duplicates">Possible duplicates</h2>
      <div class="filters">
        <select
          aria-label="With"
          value={by}
          onChange={(event) => setBy(event.currentTarget.value as DuplicateGroup['by'])}
        >
          {Object.entries(why).map(([name, words]) => (
            <option key={name} value={name}>
              {words}
            </option>
          ))}
        </select>
      </div>
      {error && <Fault error={error} />}
      {page?.rows.length === 0 && <p class="soft">No two people have {why[by]}.</p>}
      {page?.rows.map((group) => (
        <Group key={`${group.by} ${group.value}`} desk={desk} group={group} onMerge={onMerge} />
      ))}
      <More more={more} />
    </section>
  );
}

interface GroupProps extends Omit<DuplicatesProps, 'found'> {
  readonly group: DuplicateGroup;
}

function Group({ desk, group, onMerge }: GroupProps) {
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const { error, act } = useDeed();
  const merge = async () => {
    if (!asName(desk)) return;
    await desk.write('merge', { ids: chosen, by: desk.by });
    onMerge();
  };
  const toggle = (id: string) => setChosen(chosen.includes(id) ? chosen.filter((one) => one !== id) : [...chosen, id]);
  return (
    <fieldset class="group-of">
      <legend>
        <bdi>{group.value}</bdi> <span class="soft">{why[group.by]}</span>
      </legend>
      {group.people.map((row) => (
        <label key={row.id} class="choice">
          <input type="checkbox" checked={chosen.includes(row.id)} onChange={() => toggle(row.id)} />
          <Who row={row} />
          <span class="soft messages-of">{countOf(row.messages, 'message')}</span>
        </label>
      ))}
      {group.more > 0 && <p class="soft">and {group.more} more</p>}
      <button type="button" disabled={chosen.length < 2} onClick={() => void act(merge)}>
        They are one person
      </button>
      {error && <Fault error={error} />}
    </fieldset>
  );
}
