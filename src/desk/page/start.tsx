import { useState } from 'preact/hooks';
import { Empty, Find, Problem, Prose, useAnswer } from '../../viewer/page/door.tsx';
import { Icon } from '../../web/page/icon.tsx';
import type { KnownSource } from '../shapes.ts';
import { Connect } from './connect.tsx';
import { DropZone } from './drop.tsx';
import { Fault } from './elements.tsx';
import { stepHref } from './route.ts';
import { Fetch } from './fetch.tsx';
import { read, send } from './send.ts';
import { useDeed } from './use-deed.ts';

interface StartProps {
  /** Of the state that is shown. */
  readonly version: string;
  /** Called when something was sent that changes the state. */
  readonly onChange: () => Promise<void>;
}

/** Part of the address of the page on which another export is chosen; the name of a source leads to how it is exported. */
export const another = 'another';

/** Where an export comes from, for a person who has not chosen one. */
export const Start = (props: StartProps) => (
  <>
    <h1>Choose an export</h1>
    <Origins {...props} />
    <Tiles />
  </>
);

export function Origins({ version, onChange }: StartProps) {
  const done = async () => {
    await onChange();
    location.hash = stepHref('source');
  };
  return (
    <div class="origins">
      <DropZone onCopied={done} />
      <div class="origin-ways">
        <details class="card">
          <summary>
            <Icon name="database" /> Connect a database
          </summary>
          <Connect version={version} onConnect={done} />
        </details>
        <details class="card">
          <summary>
            <Icon name="key" /> Fetch from a provider
          </summary>
          <Fetch version={version} onStart={onChange} />
        </details>
        <Sample onCopied={done} />
      </div>
    </div>
  );
}

function Sample({ onCopied }: { readonly onCopied: () => Promise<void> }) {
  const { error, isBusy, act } = useDeed();
  return (
    <div class="card">
      <button
        type="button"
        class="quiet"
        disabled={isBusy}
        onClick={() => void act(() => send('sample', {}).then(onCopied))}
      >
        <Icon name="chats" /> Try a sample
      </button>
      <p class="soft">A small Slack export comes with Chatferry. Nothing leaves this machine.</p>
      {error && <Fault error={error} />}
    </div>
  );
}

function Tiles() {
  const [search, setSearch] = useState('');
  const { answer: sources } = useAnswer(() => read('sources'), []);
  const words = search.trim().toLowerCase();
  const isFound = ({ name, title }: KnownSource) => `${name} ${title}`.toLowerCase().includes(words);
  const found = sources?.filter(isFound) ?? [];
  return (
    <section aria-labelledby="sources">
      <h2 id="sources">How to get the export</h2>
      <Find label="Find a platform" value={search} onInput={setSearch} />
      <ul class="tiles">
        {found.map(({ name, title }) => {
          // `Slack export (folder or ZIP)`
          const [, label = title, what = ''] = /^(.*?) \((.*)\)/.exec(title) ?? [];
          return (
            <li key={name}>
              <a class="card" href={stepHref('source', name)}>
                <b>{label}</b>
                <span class="soft">{what}</span>
              </a>
            </li>
          );
        })}
      </ul>
      {sources && found.length === 0 && (
        <Empty>
          None has this in its name. Tables and JSON of any other program are read as CSV, JSON or database.
        </Empty>
      )}
    </section>
  );
}

/** The way to an export of one source. */
export function HowToGet({ source }: { readonly source: string }) {
  const { answer, error } = useAnswer(() => read('how-to', { source }), [source]);
  if (error) return <Problem>{error.message}</Problem>;
  if (!answer) return <Empty>Looking…</Empty>;
  const { title, text, commands } = answer;
  return (
    <>
      <p class="back">
        <a href={stepHref('source', another)}>
          <Icon name="back" /> All sources
        </a>
      </p>
      <h1>{title}</h1>
      <div class="prose">
        <Prose text={text} />
        {commands !== '' && (
          <details open={text === ''}>
            <summary>With commands</summary>
            <Prose text={commands} />
          </details>
        )}
      </div>
      <p class="next-step">
        <a class="button main" href={stepHref('source', another)}>
          Choose the files
        </a>
      </p>
    </>
  );
}
