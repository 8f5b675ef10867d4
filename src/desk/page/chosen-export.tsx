import { useState } from 'preact/hooks';
import { formatBytes } from '../../lib/text/quantity.ts';
import { countOf } from '../../lib/text/count.ts';
import type { CopiedFiles, SourceView } from '../shapes.ts';
import { Confirm } from './confirm.tsx';
import { DropZone } from './drop.tsx';
import { Fault, submitting } from './elements.tsx';
import { ReadAs } from './read-as.tsx';
import { removeFiles, send } from './send.ts';
import { useSending } from './use-sending.ts';

interface ChoosingProps {
  readonly view: SourceView;
  /** Of the state that is shown. */
  readonly version: string;
  /** Called when something was sent that changes the state. */
  readonly onChange: () => Promise<void>;
}

/** Where the export comes from: files that are dropped here, or a database. */
export function ChosenExport({ view, version, onChange }: ChoosingProps) {
  const [isOpen, setOpen] = useState(false);
  // An export that cannot be read is probably not the one that was meant.
  const isWanted = view.exports.length === 0 || (view.error !== null && !view.wantsPassword);
  const places = (
    <>
      <DropZone isOpen={isOpen || isWanted} onCopied={onChange} />
      <Database version={version} onChange={onChange} />
    </>
  );
  return (
    <>
      {isWanted ? (
        places
      ) : (
        <details class="other" open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
          <summary>Choose another export</summary>
          {places}
        </details>
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

function Database({ version, onChange }: { readonly version: string; readonly onChange: () => Promise<void> }) {
  const [address, setAddress] = useState('');
  const { error, isSending, sending } = useSending(onChange);
  return (
    <form
      class="origin"
      aria-labelledby="database"
      onSubmit={submitting(() => sending(send('export', { version, kind: 'database', address: address.trim() })))}
    >
      <h2 id="database">Or read a database</h2>
      <p class="soft" id="database-what">
        PostgreSQL, MySQL or MariaDB. It is only read. Leave the password out: you are asked for it next.
      </p>
      <label for="address">Address</label>
      <span class="beside">
        <input
          id="address"
          type="text"
          inputMode="url"
          autocomplete="off"
          spellcheck={false}
          maxLength={2000}
          placeholder="postgres://reader@db.example.com/app"
          aria-describedby="database-what"
          value={address}
          onInput={(event) => setAddress(event.currentTarget.value)}
        />
        <button type="submit" disabled={isSending || address.trim() === ''}>
          Connect
        </button>
      </span>
      {error && <Fault error={error} />}
    </form>
  );
}

/** Asked for when the server of a database refuses the login. */
export function Password({ onChange }: { readonly onChange: () => Promise<void> }) {
  const [password, setPassword] = useState('');
  const { error, isSending, sending } = useSending(onChange);
  return (
    <form
      class="origin"
      aria-labelledby="password-title"
      onSubmit={(event) => {
        event.preventDefault();
        setPassword('');
        void sending(send('password', { password }));
      }}
    >
      <h2 id="password-title">The server asks for a password</h2>
      <p class="soft" id="password-what">
        Not stored: it is kept until the desk ends, and asked for again then.
      </p>
      <label for="password">Password</label>
      <span class="beside">
        <input
          id="password"
          type="password"
          autocomplete="off"
          maxLength={1000}
          aria-describedby="password-what"
          value={password}
          onInput={(event) => setPassword(event.currentTarget.value)}
        />
        <button type="submit" class="main" disabled={isSending || password === ''}>
          Log in
        </button>
      </span>
      {error && <Fault error={error} />}
    </form>
  );
}

/** The copies, and a button that deletes them. */
function Copies({ copies, onChange }: { readonly copies: CopiedFiles; readonly onChange: () => Promise<void> }) {
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
