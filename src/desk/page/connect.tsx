import type { InputHTMLAttributes } from 'preact';
import { useState } from 'preact/hooks';
import { decoded } from '../../lib/text/decoded.ts';
import { Fault, submitting } from './elements.tsx';
import { send } from './send.ts';
import { useDeed } from './use-deed.ts';

/** Systems by the scheme of their addresses. */
const systems = { postgres: 'PostgreSQL', mysql: 'MySQL', mariadb: 'MariaDB' } as const;

type System = keyof typeof systems;

/** Port that is usual, and the parameter that says how a connection is encrypted, with its values. */
const dialects: Readonly<Record<System, { readonly port: string; readonly none: string; readonly unchecked: string }>> =
  {
    postgres: { port: '5432', none: 'sslmode=disable', unchecked: 'sslmode=require' },
    mysql: { port: '3306', none: 'ssl-mode=DISABLED', unchecked: 'ssl-mode=REQUIRED' },
    mariadb: { port: '3306', none: 'ssl-mode=DISABLED', unchecked: 'ssl-mode=REQUIRED' },
  };

interface Typed {
  readonly system: System;
  readonly host: string;
  readonly port: string;
  readonly database: string;
  readonly user: string;
  readonly password: string;
  readonly tls: 'usual' | 'unchecked' | 'none';
}

const nothing: Typed = {
  system: 'postgres',
  host: '',
  port: '',
  database: '',
  user: '',
  password: '',
  tls: 'usual',
};

/** The password is never part of it. */
function toAddress({ system, host, port, database, user, tls }: Typed): string {
  const name = host.trim();
  // An IPv6 address has colons itself.
  const shown = name.includes(':') && !name.startsWith('[') ? `[${name}]` : name;
  const place = `${shown}${port.trim() && `:${port.trim()}`}/${encodeURIComponent(database.trim())}`;
  const query = tls === 'usual' ? '' : `?${dialects[system][tls]}`;
  return `${system}://${user.trim() && `${encodeURIComponent(user.trim())}@`}${place}${query}`;
}

/** Fills the fields from a whole address that was pasted as the host; settings of other kinds are for the terminal. */
function takeApart(pasted: string): Partial<Typed> {
  const scheme = /^(postgres|mysql|mariadb)(?:ql)?:\/\//.exec(pasted)?.[1];
  if (scheme === undefined || !URL.canParse(pasted)) return { host: pasted };
  const { hostname, port, pathname, username, password } = new URL(pasted);
  const [database, user, secret] = [pathname.slice(1), username, password].map(decoded);
  return { system: scheme as System, host: hostname, port, database: database!, user: user!, password: secret! };
}

interface ConnectProps {
  /** Of the state that is shown. */
  readonly version: string;
  readonly onConnect: () => Promise<void>;
}

/** A form for the server of a database. The password leaves the page as soon as it is sent. */
export function Connect({ version, onConnect }: ConnectProps) {
  const [typed, setTyped] = useState(nothing);
  const { error, isBusy, act } = useDeed();
  const set = (changes: Partial<Typed>) => setTyped({ ...typed, ...changes });
  const field = (name: FieldProps['name'], label: string, more: InputHTMLAttributes = {}) => (
    <Field name={name} label={label} value={typed[name]} set={set} more={more} />
  );
  const connect = async () => {
    const { password } = typed;
    set({ password: '' });
    const secret = password === '' ? {} : { password };
    await send('export', { version, kind: 'database', address: toAddress(typed), ...secret });
    await onConnect();
  };
  return (
    <form onSubmit={submitting(() => act(connect))}>
      <p class="soft">It is only read. The password is kept in memory until the desk ends, and written nowhere.</p>
      <div class="fields">
        <label class="field">
          System
          <select value={typed.system} onChange={(event) => set({ system: event.currentTarget.value as System })}>
            {Object.entries(systems).map(([scheme, name]) => (
              <option key={scheme} value={scheme}>
                {name}
              </option>
            ))}
          </select>
        </label>
        {field('host', 'Host', { required: true, placeholder: 'db.example.com' })}
        {field('port', 'Port', { inputMode: 'numeric', placeholder: dialects[typed.system].port })}
        {field('database', 'Database', { required: true })}
        {field('user', 'User', { required: true })}
        {field('password', 'Password', { type: 'password' })}
        <label class="field">
          Encryption
          <select value={typed.tls} onChange={(event) => set({ tls: event.currentTarget.value as Typed['tls'] })}>
            <option value="usual">As usual: checked, unless it is this machine</option>
            <option value="unchecked">Encrypted, certificate not checked</option>
            <option value="none">Not encrypted</option>
          </select>
        </label>
      </div>
      {error && <Fault error={error} />}
      <button type="submit" class="main" disabled={isBusy}>
        Connect
      </button>
    </form>
  );
}

interface FieldProps {
  readonly name: 'host' | 'port' | 'database' | 'user' | 'password';
  readonly label: string;
  readonly value: string;
  readonly set: (changes: Partial<Typed>) => void;
  readonly more: InputHTMLAttributes;
}

const Field = ({ name, label, value, set, more }: FieldProps) => (
  <label class="field">
    {label}
    <input
      type="text"
      autocomplete="off"
      spellcheck={false}
      maxLength={1_000}
      {...more}
      value={value}
      onInput={({ currentTarget: { value: now } }) => set(name === 'host' ? takeApart(now) : { [name]: now })}
    />
  </label>
);
