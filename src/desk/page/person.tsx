import { useState } from 'preact/hooks';
import { Avatar, countOf } from '../../viewer/page/door.tsx';
import { Icon } from '../../web/page/icon.tsx';
import type { PersonRow } from '../shapes.ts';
import type { Desk } from './desk.ts';
import { Fault, submitting } from './elements.tsx';
import { asName } from './name.ts';
import { stepHref } from './route.ts';

const ways: Readonly<Record<PersonRow['setBy'], string>> = {
  template: 'from the template',
  table: 'from the table',
  mapping: 'from the mapping',
  merged: 'merged',
};

interface PersonProps {
  readonly desk: Desk;
  readonly row: PersonRow;
  readonly onChange: (row: PersonRow) => void;
}

/** A person with the uid that can be changed: it is written when the field is left, or with Enter. */
export function PersonLine({ desk, row, onChange }: PersonProps) {
  /** The uid that was shown when something was typed, until the user knows another one. Undefined where nothing was typed. */
  const [typed, setTyped] = useState<{ readonly text: string; readonly over?: string }>();
  const [state, setState] = useState<{ readonly error?: Error; readonly isSaved?: boolean }>({});
  const save = async () => {
    const wanted = typed?.text.trim() ?? row.uid;
    if (wanted === row.uid || !asName(desk)) return;
    try {
      const change = { id: row.id, uid: wanted === '' ? null : wanted, seen: typed?.over ?? row.uid, by: desk.by };
      onChange(await desk.write('person', change));
      setTyped(undefined);
      setState({ isSaved: true });
    } catch (error) {
      setTyped({ text: wanted });
      setState({ error: error as Error });
    }
  };
  return (
    <li>
      <Avatar name={row.name} id={row.id} />
      <Who row={row} />
      <span class="soft messages-of">{countOf(row.messages, 'message')}</span>
      <form class="uid" onSubmit={submitting(save)}>
        <input
          type="text"
          aria-label={`uid of ${row.name}`}
          value={typed?.text ?? row.uid}
          disabled={row.mergedInto !== null}
          spellcheck={false}
          onInput={(event) => {
            setTyped({ text: event.currentTarget.value, over: typed?.over ?? row.uid });
            setState({});
          }}
          onBlur={() => state.error ?? void save()}
        />
        <span class="soft" role="status">
          {state.isSaved ? 'written' : ways[row.setBy]}
        </span>
      </form>
      {row.sharedWith !== null && (
        <p class="shared">
          <Icon name="warning" /> The same uid as{' '}
          <a href={stepHref('people', row.uid)} dir="auto">
            {row.sharedWith}
          </a>
        </p>
      )}
      {state.error && <Fault error={state.error} />}
    </li>
  );
}

/** The name of a person, and what else tells one from another. */
export function Who({ row }: { readonly row: PersonRow }) {
  const { id, name, handle, email, mergedInto } = row;
  const facts = [email, handle, name === id ? '' : id].filter(Boolean);
  return (
    <span class="person">
      <b>
        <bdi>{name}</bdi>
        {row.isBot && <span class="tag">bot</span>}
        {row.isDeleted && <span class="tag">deactivated</span>}
        {!row.isKnown && <span class="tag">not in the user list</span>}
      </b>
      <span class="soft">
        {facts.map((fact, index) => (
          <>
            {index > 0 && ' · '}
            <bdi>{fact}</bdi>
          </>
        ))}
        {mergedInto !== null && (
          <>
            {' '}
            · the same person as <bdi>{mergedInto}</bdi>
          </>
        )}
      </span>
    </span>
  );
}
