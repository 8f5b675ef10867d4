import { useState } from 'preact/hooks';
import { ask, usePolling } from '../../viewer/page/door.tsx';
import type { DeskState } from '../shapes.ts';
import { Source } from './source.tsx';

/** How often the program is asked what it does, in ms. */
const everyMs = 700;

/** The whole page. */
export function App() {
  const [state, setState] = useState<DeskState>();
  const [isGone, setGone] = useState(false);
  const update = async () => setState(await ask<DeskState>('state'));
  usePolling(async () => {
    await update().then(
      () => setGone(false),
      () => setGone(true),
    );
  }, everyMs);
  return (
    <div class="page">
      <header class="navigation">
        <span class="brand">
          <span aria-hidden="true">⛴</span> Chatferry desk
        </span>
        {state && (
          <span class="soft place">
            <bdi>{state.folder}</bdi>
          </span>
        )}
      </header>
      <main class="sheet" id="main">
        {isGone && (
          <p class="problem" role="alert">{`${document.title} has stopped: start it again in the terminal`}</p>
        )}
        {state?.error && (
          <div class="problem" role="alert">
            <p class="plain">
              <bdi>{state.error.message}</bdi>
            </p>
            <p class="soft">
              <bdi>{state.error.hint}</bdi>
            </p>
          </div>
        )}
        {state && !state.error && <Source state={state} onChange={update} />}
      </main>
    </div>
  );
}
