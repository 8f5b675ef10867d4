import { attemptsMax } from '../../lib/flow/retry.ts';

/**
 * How often delivery tries, how long it waits, and when it stops. Each limit that decides about a message or a run is here; what tunes a
 * single mechanism (`adaptive-concurrency.ts`) or bounds memory (`verify/`) is next to its use.
 */

/** The last batches of a run are the successes that tries need before and after them. */
export const sparedBatches = attemptsMax + 2;

/** Tries in a row of quarantined messages without a success before them: if all of them stay unanswered, the destination is down. */
export const freeTriesMax = 12;
/** Unanswered requests in a row: nothing new is sent until one succeeds, or nothing else is left to do. */
export const unansweredMax = 12;

/** A message has failed when a good one would be absent as often as it with this chance: one in 500,000. */
export const chanceMax = 1 / 500_000;
/** How often suspects are tried without others in the request: then nothing shows whether the destination still works. */
export const aloneMax = 12;
/** So many errors of the service's own, each after storing something, show that it stores nothing after such an answer. */
export const finalErrorsMin = 20;

/** Conversations whose first batches are unanswered before it is tried how far back the destination stores, and that are then tried. */
export const datedLanesMax = 3;
/** Single messages that are sent to find that time more exactly. */
export const datingStepsMax = 12;

/** The service has asked so often for a pause instead of storing a batch: enough for this run. */
export const pausesMax = 5;
/**
 * A service that limits the rate without saying for how long: its windows are minutes. Five waits are at most
 * 15 + 30 + 3 * 60 s.
 */
export const windowBackoff = { initialMs: 15_000, maxMs: 60_000 };

/** Between two probes of a destination that is down, at most: 30 s. The first ones come sooner, because most outages are restarts. */
export const probeEveryMs = 30_000;
/** A destination that is silent for so long stops the run, resumable: 10 minutes. */
export const silenceMaxMs = 600_000;
/** 500 tokens, 5 for a repeated request, 10 after a timeout, 1 back for a clean success: the AWS SDK's retry quota. */
export const retryTokensMax = 500;
/**
 * Cost of sending a request again. `asked`: the service said when to come back. `silence`: no answer, or none in the
 * service's format. A destination that is down should not be asked by all clients at once.
 */
export const retryCosts = { asked: 5, silence: 10 } as const;

/** So many requests in a row whose messages stay unconfirmed, while nothing is answered: the next would end like them. */
export const leftUnconfirmedMax = 3;
/** Longer than gateways and queues hold a request back. */
export const lateGraceMs = 600_000;
/** A message with a receipt is looked for at least so long, whatever the grace is. */
export const patienceMinMs = 10_000;

/** A service whose own answer to an action was an error is waited for so long, and the grace at most: a second time changes nothing there. */
export const ownErrorGraceMs = 10_000;
/** So often actions that are unconfirmed are asked for again in one run. */
export const roundsMax = 3;
/** A request for one person, group or member has failed when it was refused so often as a whole. */
export const refusalsMax = 2;
/** Number of consecutive unanswered actions after which the destination counts as answering none. */
export const doubtsInARowMax = 20;

/** Between two looks at whether another process is done with a lane, in ms. */
export const askAgainMs = 2000;
