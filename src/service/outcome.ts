import { heldBackCode } from './transport.ts';

/** Answer of the service about one message of an import request. */
export type MessageAnswer =
  | { readonly result: 'imported'; readonly serverId?: string; readonly conversationId?: string }
  /** The muid is taken. Only a read-back shows whose content it has. */
  | { readonly result: 'already-exists'; readonly code: string; readonly detail: string }
  | { readonly result: 'refused'; readonly code: string; readonly detail: string };

/** Why a request changed nothing, according to the server that answered. */
export type NotAppliedWhy =
  /** No byte was sent: DNS, refused connection, TLS. */
  | 'unreachable'
  | 'rate-limited'
  /** 413: try fewer bytes. */
  | 'too-large'
  /** The request as a whole is not acceptable (400, 404, 422 with the service's error body): find the message that causes it. */
  | 'rejected'
  /** Nothing of this run can succeed: authentication, plan, quota, redirect, wrong address. */
  | 'stop';

export interface Failure {
  /** The service's code, the network's (`ECONNRESET`), or ours (`bad_answer`, `timeout`, `http_502`). */
  readonly code: string;
  /** For people; never holds the key. */
  readonly detail: string;
  /** Advice, if a setting or a command helps: mostly with `stop`. */
  readonly hint?: string;
  readonly status?: number;
  readonly requestId?: string;
  /** How long the service asks us to wait, from the answer's arrival. */
  readonly retryAfterMs?: number;
}

/** A request that was to change something and has no success to show. */
export type NotDone<Why extends NotAppliedWhy = NotAppliedWhy> =
  | ({
      readonly kind: 'not-applied';
      readonly why: Why;
      /** Certain: nothing left Chatferry, or access was denied. A service that refuses a whole request may have stored some of it. */
      readonly isSure?: boolean;
      /** The service asks for a pause: what it may have stored is to be looked for, and the rest may be sent again after it. */
      readonly isPassing?: boolean;
    } & Failure)
  /** Something may have been stored. `byService`: the service itself answered with its error body. */
  | ({ readonly kind: 'unknown'; readonly byService: boolean } & Failure);

/** Whether we held the request back ourselves: it was too late for it to leave. That says nothing of the destination. */
export const isHeldBack = (outcome: AnyOutcome): outcome is NotDone<'unreachable'> =>
  outcome.kind === 'not-applied' && outcome.why === 'unreachable' && outcome.code === heldBackCode;

/** Outcome of an import request. `delivery/` decides everything that is done about it. */
export type ImportOutcome =
  | NotDone
  | {
      readonly kind: 'answered';
      /** By muid, for the muids that were sent. */
      readonly answers: ReadonlyMap<string, MessageAnswer>;
      /** Sent, and not mentioned in the answer: unknown, each of them. */
      readonly missing: readonly string[];
      readonly unexpectedKeyCount: number;
    };

/**
 * Outcome of a read. `not-found`: the service answered and does not know the id. `too-long`: the answer is longer than
 * the transport takes, and will be again; ask for less. A failed read proves nothing and may be repeated at will.
 */
export type ReadOutcome<T> =
  | { readonly kind: 'answered'; readonly value: T }
  | ({ readonly kind: 'failed'; readonly why: 'retry' | 'rate-limited' | 'not-found' | 'too-long' | 'stop' } & Failure);

/** Outcome of a request that changes something, other than an import. A failed one proves nothing unless it is `not-applied`. */
export type ChangeOutcome = { readonly kind: 'applied' } | NotDone;

/**
 * What a request for one action came to: a reaction, a friend, a block, a deactivation. `existing`: it was so before, as the
 * service says. `failed`: it says no to this one, and would say so again.
 */
export type ActionOutcome =
  | { readonly kind: 'applied' }
  | ({ readonly kind: 'existing' | 'failed' } & Failure)
  | NotDone<Exclude<NotAppliedWhy, 'too-large' | 'rejected'>>;

export type AnyOutcome = ImportOutcome | ReadOutcome<unknown> | ChangeOutcome | ActionOutcome;

/** Rate headers of an answer, whichever way they are spelled. */
export interface RateHints {
  readonly limitPerMinute?: number;
  readonly remaining?: number;
  /** Time until the window starts again. */
  readonly resetInMs?: number;
}
