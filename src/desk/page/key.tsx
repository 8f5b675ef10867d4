import { useState } from 'preact/hooks';
import { Icon } from '../../web/page/icon.tsx';
import type { DestinationView } from '../shapes.ts';
import type { Desk } from './desk.ts';
import { Field } from './destination.tsx';
import { Fault, submitting } from './elements.tsx';
import { useDeed } from './use-deed.ts';

/** The source of the destination's key. */
export function Key({ desk, view }: { readonly desk: Desk; readonly view: DestinationView }) {
  const { key, version } = view;
  const [path, setPath] = useState(key.path ?? '');
  const { error, act } = useDeed();
  const save = () => act(() => desk.write('destination', { keyFile: path.trim() || null }, version));
  return (
    <form class="destination" onSubmit={submitting(save)}>
      <h2>Key</h2>
      <KeyState view={view} />
      {key.from !== 'variable' && <Field label="Path of the key file" value={path} onValue={setPath} />}
      {error && <Fault error={error} />}
      {key.from !== 'variable' && (
        <p class="filters">
          <button type="submit">Save</button>
        </p>
      )}
    </form>
  );
}

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
