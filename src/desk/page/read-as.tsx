import { useState } from 'preact/hooks';
import type { ReadAs as Choice } from '../shapes.ts';
import { Fault, submitting } from './elements.tsx';
import { send } from './send.ts';
import { Terminal } from './terminal.tsx';
import { useDeed } from './use-deed.ts';

interface ReadAsProps {
  readonly readAs: Choice;
  /** Of the state that is shown. */
  readonly version: string;
  /** Called when something was sent that changes the state. */
  readonly onChange: () => Promise<void>;
}

/** Lets the user name the source of an export that nothing recognises. */
export function ReadAs({ readAs: { source, sources }, version, onChange }: ReadAsProps) {
  const [chosen, setChosen] = useState(source ?? '');
  const { error, isBusy, act } = useDeed();
  const choose = () => send('read-as', { version, source: chosen === '' ? null : chosen }).then(onChange);
  const command = sources.find(({ name }) => name === chosen)?.command;
  return (
    <form class="origin" aria-labelledby="read-as-title" onSubmit={submitting(() => act(choose))}>
      <h2 id="read-as-title">Which program wrote it?</h2>
      <p class="soft" id="read-as-what">
        For tables or JSON of any other program choose CSV, JSON or database: the next step asks what each column is.
      </p>
      <label for="read-as">Source</label>
      <span class="beside">
        <select
          id="read-as"
          aria-describedby="read-as-what"
          value={chosen}
          onChange={(event) => setChosen(event.currentTarget.value)}
        >
          <option value="">{source === null ? 'Choose' : 'Recognise it again'}</option>
          {sources.map(({ name, title }) => (
            <option key={name} value={name}>
              {title}
            </option>
          ))}
        </select>
        <button type="submit" class="main" disabled={isBusy || chosen === (source ?? '')}>
          Read it
        </button>
      </span>
      {command !== undefined && chosen !== source && (
        <>
          <p class="soft">In the terminal:</p>
          <Terminal key={command} command={command} />
        </>
      )}
      {error && <Fault error={error} />}
    </form>
  );
}
