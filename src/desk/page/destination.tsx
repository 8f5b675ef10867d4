import { useState } from 'preact/hooks';
import { Empty, useAnswer } from '../../viewer/page/door.tsx';
import type { DestinationView } from '../shapes.ts';
import type { Desk } from './desk.ts';
import { Fault, submitting } from './elements.tsx';
import { read } from './send.ts';
import { useDeed } from './use-deed.ts';

type Typed = Pick<DestinationView, 'kind' | 'appId' | 'region' | 'to' | 'retentionDays' | 'people'>;

const valuesOf = ({ kind, appId, region, to, retentionDays, people }: DestinationView): Typed => ({
  ...{ kind, appId, region, to, retentionDays, people },
});

/** The destination of the messages. Everything after it knows the limits of the destination. */
export function Destination({ desk }: { readonly desk: Desk }) {
  const { version } = desk.state;
  const { answer: view, error } = useAnswer(() => read('destination'), [version]);
  // It outlives the form, which is another one once other values are saved.
  const saving = useDeed();
  if (error) return <Fault error={error} />;
  if (!view) return <Empty>Looking…</Empty>;
  return <Form key={JSON.stringify(valuesOf(view))} {...{ desk, view, saving }} />;
}

const kinds: readonly (readonly [kind: Typed['kind'], title: string, about: string])[] = [
  ['none', 'The sandbox on this machine', 'A rehearsal: nothing leaves this machine.'],
  ['app', 'An app of the hosted service', 'By its id and region.'],
  ['address', 'Another address', 'A service of the same form, elsewhere.'],
];

interface FormProps {
  readonly desk: Desk;
  readonly view: DestinationView;
  readonly saving: ReturnType<typeof useDeed>;
}

function Form({ desk, view, saving: { error, isBusy, act } }: FormProps) {
  const saved = valuesOf(view);
  const [typed, setTyped] = useState(saved);
  const set = (changes: Partial<Typed>) => setTyped({ ...typed, ...changes });
  const isSaved = JSON.stringify(typed) === JSON.stringify(saved);
  const save = () => act(() => desk.write('destination', typed, view.version));
  return (
    <form class="destination" onSubmit={submitting(save)}>
      <h2>Where it goes</h2>
      {view.isFixed && <p class="soft">Given by a flag or a variable of the desk: it is changed there.</p>}
      <fieldset disabled={view.isFixed}>
        <legend class="unseen">Kind of destination</legend>
        <div class="kinds">
          {kinds.map(([kind, title, about]) => (
            <label key={kind} class={`answer ${typed.kind === kind ? 'chosen' : ''}`}>
              <input type="radio" name="kind" checked={typed.kind === kind} onChange={() => set({ kind })} />
              <span class="answer-words">
                <b>{title}</b>
                <span class="soft">{about}</span>
              </span>
            </label>
          ))}
        </div>
        {typed.kind === 'app' && <AppFields typed={typed} set={set} />}
        {typed.kind === 'address' && (
          <div class="fields">
            <Field label="Address" value={typed.to} onValue={(value) => set({ to: value })} />
          </div>
        )}
        {typed.kind !== 'none' && (
          <div class="fields">
            <Field
              label="Days that the plan keeps messages"
              placeholder="A number, or unlimited; empty if not known"
              value={typed.retentionDays}
              onValue={(value) => set({ retentionDays: value })}
            />
            <PeopleField typed={typed} set={set} />
          </div>
        )}
      </fieldset>
      {error && <Fault error={error} />}
      {!isSaved && (
        <p class="filters">
          <button type="submit" class="main" disabled={isBusy}>
            Save
          </button>
        </p>
      )}
    </form>
  );
}

interface FieldsProps {
  readonly typed: Typed;
  readonly set: (changes: Partial<Typed>) => void;
}

const PeopleField = ({ typed, set }: FieldsProps) => (
  <label class="field">
    People and groups
    <select value={typed.people} onChange={(event) => set({ people: event.currentTarget.value as Typed['people'] })}>
      <option value="">As usual at this destination</option>
      <option value="import">Imported before the messages</option>
      <option value="with-messages">Made by the messages that name them</option>
    </select>
  </label>
);

const AppFields = ({ typed, set }: FieldsProps) => (
  <div class="fields">
    <Field label="App id" value={typed.appId} onValue={(appId) => set({ appId })} />
    <label class="field">
      Region
      <select value={typed.region} onChange={(event) => set({ region: event.currentTarget.value })}>
        <option value="">Choose</option>
        <option value="us">us</option>
        <option value="eu">eu</option>
        <option value="in">in</option>
      </select>
    </label>
  </div>
);

interface FieldProps {
  readonly label: string;
  readonly value: string;
  readonly placeholder?: string;
  readonly onValue: (value: string) => void;
}

export const Field = ({ label, value, placeholder, onValue }: FieldProps) => (
  <label class="field">
    {label}
    <input
      type="text"
      value={value}
      placeholder={placeholder}
      spellcheck={false}
      autocomplete="off"
      onInput={(event) => onValue(event.currentTarget.value)}
    />
  </label>
);
