import { useState } from 'preact/hooks';
import type { DestinationView } from '../shapes.ts';
import type { Desk } from './desk.ts';
import { Field } from './destination.tsx';
import { Fault, submitting } from './elements.tsx';
import { useDeed } from './use-deed.ts';

interface KeyProps {
  readonly desk: Desk;
  readonly view: DestinationView;
}

/** The key of the destination: typed, from a file, or from a variable. */
export function Key({ desk, view }: KeyProps) {
  const { error, isBusy, act } = useDeed();
  const { from, path, fault } = view.key;
  if (from === 'none' || fault !== null) return <KeyForm desk={desk} view={view} />;
  const forget = () =>
    act(() =>
      from === 'typed'
        ? desk.write('key', { key: null }, view.version)
        : desk.write('destination', { keyFile: null }, view.version),
    );
  return (
    <>
      <span class="soft">
        {from === 'typed' && 'Typed in this session; it must be typed again after a restart'}
        {from === 'file' && (
          <>
            From the file <code dir="auto">{path}</code>
          </>
        )}
        {from === 'variable' && (
          <>
            From the variable <code>CHATFERRY_API_KEY</code>
          </>
        )}
      </span>{' '}
      {from !== 'variable' && (
        <button type="button" class="quiet" disabled={isBusy} onClick={() => void forget()}>
          Use another key
        </button>
      )}
      {error && <Fault error={error} />}
    </>
  );
}

function KeyForm({ desk, view: { key, version } }: KeyProps) {
  const [typed, setTyped] = useState('');
  const [path, setPath] = useState(key.path ?? '');
  const { error, isBusy, act } = useDeed();
  const save = () =>
    act(async () => {
      await desk.write('key', { key: typed }, version);
      setTyped('');
    });
  return (
    <>
      {key.fault !== null && (
        <p class="problem" role="alert" dir="auto">
          {key.fault}
        </p>
      )}
      <form class="key-form" onSubmit={submitting(save)}>
        <label class="field">
          Key
          <input
            type="password"
            required
            autocomplete="off"
            value={typed}
            onInput={({ currentTarget: { value } }) => setTyped(value)}
          />
        </label>
        <button type="submit" disabled={isBusy}>
          Use this key
        </button>
      </form>
      <p class="soft">
        It stays in the memory of this desk: it is written nowhere, and forgotten with the destination.
      </p>
      <details open={key.path !== null}>
        <summary>Use a file</summary>
        <form
          class="key-form"
          onSubmit={submitting(() => act(() => desk.write('destination', { keyFile: path.trim() || null }, version)))}
        >
          <Field label="Path of the key file" value={path} onValue={setPath} />
          <button type="submit" disabled={isBusy}>
            Save
          </button>
        </form>
        <p class="soft">Only you may be able to read it.</p>
      </details>
      {error && <Fault error={error} />}
    </>
  );
}
