import type { InputHTMLAttributes } from 'preact';
import { useState } from 'preact/hooks';
import { formatBytes } from '../../lib/text/quantity.ts';
import { countOf } from '../../lib/text/count.ts';
import type { CopiedFiles, SourceView } from '../shapes.ts';
import { Confirm } from './confirm.tsx';
import { DropZone } from './drop.tsx';
import { Fault, submitting } from './elements.tsx';
import { ReadAs } from './read-as.tsx';
import { removeFiles, send } from './send.ts';
import { useDeed } from './use-deed.ts';

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
  return (
    <OneField
      id="address"
      title="Or read a database"
      about="PostgreSQL, MySQL or MariaDB. It is only read. Leave the password out: you are asked for it next."
      label="Address"
      button="Connect"
      field={{ type: 'text', inputMode: 'url', maxLength: 2000, placeholder: 'postgres://reader@db.example.com/app' }}
      onSend={(typed) => send('export', { version, kind: 'database', address: typed.trim() }).then(onChange)}
    />
  );
}

/** Asked for when the server of a database refuses the login. */
export const Password = ({ onChange }: { readonly onChange: () => Promise<void> }) => (
  <OneField
    id="password"
    title="The server asks for a password"
    about="Not stored: it is kept until the desk ends, and asked for again then."
    label="Password"
    button="Log in"
    isMain
    field={{ type: 'password', maxLength: 1000 }}
    onSend={(password) => send('password', { password }).then(onChange)}
  />
);

interface OneFieldProps {
  readonly id: string;
  readonly title: string;
  readonly about: string;
  readonly label: string;
  readonly button: string;
  readonly isMain?: boolean;
  readonly field: InputHTMLAttributes;
  readonly onSend: (typed: string) => Promise<void>;
}

/** A form of one field. A password leaves the page as soon as it is sent. */
function OneField({ id, title, about, label, button, isMain, field, onSend }: OneFieldProps) {
  const [typed, setTyped] = useState('');
  const { error, isBusy, act } = useDeed();
  const submit = () => {
    if (field.type === 'password') setTyped('');
    void act(() => onSend(typed));
  };
  return (
    <form class="origin" aria-labelledby={`${id}-title`} onSubmit={submitting(submit)}>
      <h2 id={`${id}-title`}>{title}</h2>
      <p class="soft" id={`${id}-what`}>
        {about}
      </p>
      <label for={id}>{label}</label>
      <span class="beside">
        <input
          {...field}
          id={id}
          autocomplete="off"
          spellcheck={false}
          aria-describedby={`${id}-what`}
          value={typed}
          onInput={(event) => setTyped(event.currentTarget.value)}
        />
        <button type="submit" class={isMain ? 'main' : undefined} disabled={isBusy || typed.trim() === ''}>
          {button}
        </button>
      </span>
      {error && <Fault error={error} />}
    </form>
  );
}

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
