import { useState } from 'preact/hooks';
import { countOf } from '../../viewer/page/door.tsx';
import type { DuplicateGroup } from '../shapes.ts';
import type { Desk } from './desk.ts';
import { Fault, More } from './elements.tsx';
import { asName } from './name.ts';
import { Who } from './person.tsx';
import { useRows } from './rows.ts';

const why: Readonly<Record<DuplicateGroup['by'], string>> = {
  email: 'the same e-mail address',
  name: 'the same name',
  handle: 'the same handle',
};

/** Asks for people who may be one, by what they have in common. */
export function useDuplicates(version: string) {
  const [by, setBy] = useState<DuplicateGroup['by']>('email');
  return { by, setBy, ...useRows('duplicates', { by }, [version]) };
}

interface DuplicatesProps {
  readonly desk: Desk;
  readonly found: ReturnType<typeof useDuplicates>;
  readonly onMerge: () => void;
}

/** People who may be one. None is chosen beforehand: that they look alike is no proof. */
export function Duplicates({ desk, found: { by, setBy, page, error, more }, onMerge }: DuplicatesProps) {
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
  const [error, setError] = useState<Error>();
  const merge = async () => {
    if (!asName(desk)) return;
    try {
      await desk.write('merge', { ids: chosen, by: desk.by });
      onMerge();
    } catch (problem) {
      setError(problem as Error);
    }
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
      <button type="button" disabled={chosen.length < 2} onClick={() => void merge()}>
        They are one person
      </button>
      {error && <Fault error={error} />}
    </fieldset>
  );
}
