import { useState } from 'preact/hooks';
import { Icon } from '../../web/page/icon.tsx';
import type { DestinationRequest, DestinationView } from '../shapes.ts';
import type { Desk } from './desk.ts';
import { Fault, submitting } from './elements.tsx';
import type { useDeed } from './use-deed.ts';

/** Values of the fields: the path of the key file, never the key itself. */
type Typed = Pick<DestinationView, 'kind' | 'appId' | 'region' | 'to' | 'retentionDays' | 'people'> & {
  readonly keyFile: string;
};

interface DestinationProps {
  readonly desk: Desk;
  readonly view: DestinationView;
  readonly saving: ReturnType<typeof useDeed>;
}

export function Destination({ desk, view, saving: { error, act } }: DestinationProps) {
  const { kind, appId, region, to, retentionDays, people, key, isFixed } = view;
  const [typed, setTyped] = useState<Typed>({
    kind,
    appId,
    region,
    to,
    retentionDays,
    people,
    keyFile: key.path ?? '',
  });
  const set = (changes: Partial<Typed>) => setTyped({ ...typed, ...changes });
  const save = () => {
    const { keyFile, ...others } = typed;
    const request: Omit<DestinationRequest, 'version'> = {
      ...others,
      ...(keyFile.trim() !== (key.path ?? '') && { keyFile: keyFile.trim() || null }),
    };
    return act(() => desk.write('destination', request, view.version));
  };
  return (
    <form class="destination" onSubmit={submitting(save)}>
      <h2>Destination</h2>
      {isFixed && <p class="soft">Given by a flag or a variable of the desk: it is changed there.</p>}
      <fieldset disabled={isFixed}>
        <legend class="unseen">Kind of destination</legend>
        <label class="choice">
          <input type="radio" name="kind" checked={typed.kind === 'app'} onChange={() => set({ kind: 'app' })} />
          An app of the hosted service
        </label>
        <label class="choice">
          <input
            type="radio"
            name="kind"
            checked={typed.kind === 'address'}
            onChange={() => set({ kind: 'address' })}
          />
          A compatible endpoint by its address
        </label>
        {typed.kind === 'app' && <AppFields typed={typed} set={set} />}
        {typed.kind === 'address' && (
          <div class="fields">
            <Field label="Address" value={typed.to} onValue={(value) => set({ to: value })} />
          </div>
        )}
        {typed.kind !== 'none' && (
          <div class="fields">
            <Field
              label="Days that it keeps messages"
              placeholder="A number, or unlimited; empty if not known"
              value={typed.retentionDays}
              onValue={(value) => set({ retentionDays: value })}
            />
            <PeopleField typed={typed} set={set} />
          </div>
        )}
      </fieldset>
      {typed.kind !== 'none' && (
        <>
          <h3>Key</h3>
          <KeyState view={view} />
          {key.from !== 'variable' && (
            <Field label="Path of the key file" value={typed.keyFile} onValue={(keyFile) => set({ keyFile })} />
          )}
        </>
      )}
      {error && <Fault error={error} />}
      <p class="filters">
        <button type="submit" class={kind === 'none' ? 'main' : undefined} disabled={typed.kind === 'none'}>
          Save
        </button>
      </p>
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

const Field = ({ label, value, placeholder, onValue }: FieldProps) => (
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

function KeyState({ view: { key } }: { readonly view: DestinationView }) {
  if (key.fault !== null)
    return (
      <p class="problem" role="alert" dir="auto">
        {key.fault}
      </p>
    );
  if (key.from !== 'none')
    return (
      <p>
        <Icon name="check" /> From the {key.from} <code dir="auto">{key.path ?? 'CHATFERRY_API_KEY'}</code>
      </p>
    );
  return (
    <p class="soft">
      A key is never typed into this page. Put it into a file that only you can read, and name the file here; or start
      the desk with the variable <code>CHATFERRY_API_KEY</code>.
    </p>
  );
}
