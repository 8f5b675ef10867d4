import { useState } from 'preact/hooks';
import { useAnswer } from '../../viewer/page/door.tsx';
import { Fault, submitting } from './elements.tsx';
import { read, send } from './send.ts';
import { useDeed } from './use-deed.ts';

interface FetchProps {
  /** Of the state that is shown. */
  readonly version: string;
  readonly onStart: () => Promise<void>;
}

/** Asks a provider for its history. The key leaves the page as soon as it is sent. */
export function Fetch({ version, onStart }: FetchProps) {
  const { answer: providers = [], error: unread } = useAnswer(() => read('providers'), []);
  const [name, setName] = useState('');
  const [typed, setTyped] = useState<Readonly<Record<string, string>>>({});
  const [key, setKey] = useState('');
  const { error, isBusy, act } = useDeed();
  const provider = providers.find((one) => one.name === name);
  const start = () => {
    setKey('');
    const settings = Object.fromEntries(provider!.settings.map(({ id }) => [id, (typed[id] ?? '').trim()]));
    void act(() => send('fetch', { version, provider: name, settings, key: key.trim() }).then(onStart));
  };
  return (
    <form onSubmit={submitting(start)}>
      <p class="soft">It is only read. The key is kept in memory until everything is fetched, and written nowhere.</p>
      <div class="fields">
        <label class="field">
          Provider
          <select required value={name} onChange={({ currentTarget: { value } }) => setName(value)}>
            <option value="">Choose</option>
            {providers.map((one) => (
              <option key={one.name} value={one.name}>
                {one.title}
              </option>
            ))}
          </select>
        </label>
        {provider?.settings.map(({ id, what, usual }) => (
          <label key={id} class="field">
            {id}
            <input
              type="text"
              autocomplete="off"
              spellcheck={false}
              required={usual === ''}
              placeholder={usual}
              value={typed[id] ?? ''}
              onInput={({ currentTarget: { value } }) => setTyped({ ...typed, [id]: value })}
            />
            <span class="soft">{what}</span>
          </label>
        ))}
        {provider && (
          <label class="field">
            Key
            <input
              type="password"
              autocomplete="off"
              required
              value={key}
              onInput={({ currentTarget: { value } }) => setKey(value)}
            />
            <span class="soft">{provider.key}</span>
          </label>
        )}
      </div>
      {provider?.unverified && <p class="notice">Not tried against the provider yet: {provider.unverified}</p>}
      {(error ?? unread) && <Fault error={(error ?? unread)!} />}
      <button type="submit" class="main" disabled={isBusy || !provider}>
        Fetch
      </button>
    </form>
  );
}
