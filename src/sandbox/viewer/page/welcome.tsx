import type { ViewerState } from '../shapes.ts';
import { countOf } from './format.ts';

/** What stands where no conversation is chosen: what there is, and how to move in it; or how to begin. */
export function Welcome({ state }: { readonly state: ViewerState | undefined }) {
  if (!state) return null;
  const { totals } = state;
  return (
    <div class="welcome">
      <p class="welcome-mark" aria-hidden="true">
        ⛴
      </p>
      {totals === null || totals.messages === 0 ? (
        <>
          <h2>Nothing has arrived yet</h2>
          <p>
            Messages show here as they come. <code>chatferry import EXPORT</code> brings an export.
          </p>
        </>
      ) : (
        <>
          <h2>{countOf(totals.messages, 'message')}, as your people will see them</h2>
          <p>Choose a conversation. What the service has of a message, and what the export had, is one click away.</p>
          <ul class="keys">
            <li>
              <kbd>/</kbd> finds a conversation
            </li>
            <li>
              <kbd>Home</kbd> <kbd>End</kbd> lead to the first and the last message
            </li>
            <li>
              <kbd>Esc</kbd> closes what stands beside them
            </li>
          </ul>
        </>
      )}
    </div>
  );
}
