import type { Store } from '../base/store.ts';

/** What the service said about an action. `pending`: surely not applied. */
export interface ActionReceipt {
  readonly state: 'pending' | 'sent' | 'done' | 'present' | 'refused';
  readonly code?: string | undefined;
  readonly detail?: string | undefined;
}

/**
 * Writes down what becomes of actions at one destination:
 *
 *     (no row) ──intent──▶ sent ──receipt──▶ done | present | refused
 *                            └──surely not applied──▶ pending ──intent──▶ sent …
 */
export class ActionJournal {
  readonly #store: Store;
  readonly #intend: (action: number, serverId: string | null, nowMs: number) => void;
  readonly #receive: (action: number, receipt: ActionReceipt) => void;

  constructor(store: Store, destination: number, run: number) {
    this.#store = store;
    const intend = store.db.prepare(
      `INSERT INTO action_delivery (destination, action, state, server_id, attempts, sent_at, run) VALUES (?, ?, 'sent', ?, 1, ?, ?)
       ON CONFLICT (destination, action) DO UPDATE SET state = 'sent', server_id = excluded.server_id, attempts = attempts + 1,
         sent_at = excluded.sent_at, run = excluded.run, code = NULL, detail = NULL`,
    );
    const receive = store.db.prepare(
      'UPDATE action_delivery SET state = ?, code = ?, detail = ? WHERE destination = ? AND action = ?',
    );
    this.#intend = (action, serverId, nowMs) => intend.run(destination, action, serverId, nowMs, run);
    this.#receive = (action, { state, code, detail }) =>
      receive.run(state, code ?? null, detail ?? null, destination, action);
  }

  /** Resolves when the intent is on disk: the request may leave. */
  begin(action: number, serverId: string | null, nowMs: number): Promise<void> {
    return this.#store.commits.commit(() => this.#intend(action, serverId, nowMs), 'intent');
  }

  /** Resolves when the receipt is on disk. */
  settle(action: number, receipt: ActionReceipt): Promise<void> {
    return this.#store.commits.commit(() => this.#receive(action, receipt));
  }
}
