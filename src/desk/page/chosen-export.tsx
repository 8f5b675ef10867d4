import { useState } from 'preact/hooks';
import { formatBytes } from '../../lib/text/quantity.ts';
import { countOf } from '../../lib/text/count.ts';
import type { CopiedFiles, SourceView } from '../shapes.ts';
import { Confirm } from './confirm.tsx';
import { Fault, submitting } from './elements.tsx';
import { ReadAs } from './read-as.tsx';
import { stepHref } from './route.ts';
import { removeFiles, send } from './send.ts';
import { another, Origins } from './start.tsx';
import { useDeed } from './use-deed.ts';

interface ChoosingProps {
  readonly view: SourceView;
  /** Of the state that is shown. */
  readonly version: string;
  /** Called when something was sent that changes the state. */
  readonly onChange: () => Promise<void>;
}

/** Ways to another export, to another reading of this one, and the copies of files. */
export function ChosenExport({ view, version, onChange }: ChoosingProps) {
  return (
    <>
      {view.error !== null && !view.wantsPassword ? (
        // It is probably not the one that was meant.
        <Origins version={version} onChange={onChange} />
      ) : (
        <p class="other">
          <a href={stepHref('source', another)}>Choose another export</a>
        </p>
      )}
      {view.readAs && !view.error && (
        <details class="other">
          <summary>Read it as another source</summary>
          <ReadAs key={view.readAs.source} readAs={view.readAs} version={version} onChange={onChange} />
        </details>
      )}
      {view.dropped && <Copies copies={view.dropped} onChange={onChange} />}
    </>
  );
}

/** Asked for when the server of a database refuses the login. It leaves the page as soon as it is sent. */
export function Password({ onChange }: { readonly onChange: () => Promise<void> }) {
  const [typed, setTyped] = useState('');
  const { error, isBusy, act } = useDeed();
  const submit = () => {
    setTyped('');
    void act(() => send('password', { password: typed }).then(onChange));
  };
  return (
    <form class="origin" aria-labelledby="password-title" onSubmit={submitting(submit)}>
      <h2 id="password-title">The server asks for a password</h2>
      <p class="soft" id="password-what">
        Not stored: it is kept until the desk ends, and asked for again then.
      </p>
      <label for="password">Password</label>
      <span class="beside">
        <input
          id="password"
          type="password"
          maxLength={1000}
          autocomplete="off"
          aria-describedby="password-what"
          value={typed}
          onInput={(event) => setTyped(event.currentTarget.value)}
        />
        <button type="submit" class="main" disabled={isBusy || typed === ''}>
          Log in
        </button>
      </span>
      {error && <Fault error={error} />}
    </form>
  );
}

export function Copies({ copies, onChange }: { readonly copies: CopiedFiles; readonly onChange: () => Promise<void> }) {
  const { folder, files, bytes, unfinishedBytes } = copies;
  return (
    <section class="origin" aria-labelledby="copies">
      <h2 id="copies">Copied files</h2>
      <p>
        <code>{folder}</code>: {countOf(files, 'file')}, {formatBytes(bytes)}
        {unfinishedBytes > 0 && `; ${formatBytes(unfinishedBytes)} of files whose copying was interrupted`}
      </p>
      <Confirm
        label="Delete the copies"
        needsAsking={true}
        question={`Delete ${folder} with ${countOf(files, 'file')}? The files that you dropped stay where they are.`}
        yes="Delete"
        isBusy={false}
        onYes={() => removeFiles().then(onChange)}
      />
    </section>
  );
}
