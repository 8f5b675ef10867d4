import type { OperationName } from '../service/operations.ts';
import type { TransportAnswer, TransportRequest } from '../service/transport.ts';
import { createSandbox, type Sandbox, type SandboxOptions, usualOutsiders } from './app.ts';
import { Book } from './book.ts';
import { controlPrefix, createControl } from './faults/control.ts';
import { distort, errorAnswer, pageAnswer, redirectAnswer } from './faults/answers.ts';
import { applyPart, applySome, applySpared, listMuids } from './faults/apply.ts';
import { asItIs, type Delivery, type Transfer } from './operations/delivery.ts';
import { createFairness, createPicker, isAimedAt, type Picked } from './faults/pick.ts';
import { type FaultPlan, type FaultPlanInput, type FaultRule, faultPlan } from './fault-plan.ts';
import { findOperation } from './http/routes.ts';
import { usualListing } from './rules/rules.ts';
import type { Complaint } from './answers.ts';
import type { SeedPlan } from './seed-plan.ts';

/** `duplicates` and `badRows` apply if the plan does not set them. */
export interface FaultySandboxOptions extends SandboxOptions {
  /** Gets what a request threw that was applied late. */
  readonly onFault?: (fault: unknown) => void;
}

/**
 * A sandbox with the faults of a plan. The result of a request has two sides, which a rule chooses one by one: how much
 * of it is applied, and what the client sees of it. Nothing is broken until there is a plan.
 */
export class FaultySandbox {
  readonly id: string;
  readonly book: Book;
  readonly #options: FaultySandboxOptions;
  readonly #sandbox: Sandbox;
  readonly #control: (request: TransportRequest) => TransportAnswer;
  readonly #late = new Map<AbortController, Promise<void>>();
  #plan!: FaultPlan;
  #pick!: ReturnType<typeof createPicker>;
  #fairness: ReturnType<typeof createFairness> | undefined;
  #visibility: Visibility | undefined;

  constructor(options: FaultySandboxOptions) {
    const { store, clock, apiKey } = options;
    this.#options = options;
    this.#sandbox = createSandbox(options);
    this.id = this.#sandbox.id;
    this.#control = createControl(this, apiKey);
    this.book = new Book(store, clock);
    this.plan = {};
  }

  /** With every default filled in. */
  get plan(): FaultPlan {
    return this.#plan;
  }

  /** From the next request on; its rules count from the beginning. @throws ZodError */
  set plan(input: FaultPlanInput) {
    const plan = faultPlan.parse(input);
    const { duplicates, badRows, outsiders, deactivated, listing } = plan;
    this.#plan = plan;
    this.#pick = createPicker(plan);
    this.#fairness = plan.inARowMax === undefined ? undefined : createFairness(plan.inARowMax);
    this.#visibility = listing?.visibleAfterMs
      ? new Visibility(listing.visibleAfterMs, this.book.newestId())
      : undefined;
    this.#sandbox.behave({
      duplicates: duplicates ?? this.#options.duplicates ?? 'refused',
      badRows: badRows ?? this.#options.badRows ?? 'answered',
      outsiders: outsiders ?? usualOutsiders(this.#options),
      importsDeactivated: deactivated !== 'ignored',
    });
    this.#showUpTo(usualListing.idMax);
  }

  /** Makes what no operation can make. @returns why nothing was made. */
  make(plan: SeedPlan): Complaint | undefined {
    return this.#sandbox.make(plan);
  }

  /** Returns the result of a request. Everything that is applied is stored when this returns, except what is applied late. */
  deliver(request: TransportRequest): Delivery {
    if (request.path.startsWith(controlPrefix)) return asItIs(this.#control(request));
    const operation = findOperation(request.method, request.path.split('?', 1)[0]!)?.operation.name;
    const picked = operation && this.#pickFairly(operation, request);
    const delivery = picked ? this.#break(request, picked) : asItIs(this.#handle(request));
    const status = delivery.kind === 'answered' ? delivery.answer.status : 'lost';
    this.book.note(operation ?? 'unknown', status, picked?.rule.answer);
    return this.#withDate(delivery);
  }

  /** Applies what was to be applied late, at once: a service that stops finishes what it has taken in. */
  async close(): Promise<void> {
    for (const early of this.#late.keys()) early.abort();
    await Promise.all(this.#late.values());
    this.#sandbox.close();
  }

  #pickFairly(operation: OperationName, request: TransportRequest): Picked | undefined {
    const picked = this.#pick(operation, () => listMuids(request));
    if (!this.#fairness || !operation.startsWith('import')) return picked;
    const muids = listMuids(request);
    const isBroken = picked !== undefined && this.#fairness.isDue(muids);
    this.#fairness.note(muids, isBroken);
    return isBroken ? picked : undefined;
  }

  #break(request: TransportRequest, { rule, random }: Picked): Delivery {
    const answer = this.#apply(request, rule, random);
    const { delayMs } = rule;
    switch (rule.answer) {
      case 'closed':
      case 'reset':
      case 'silent':
      case 'garbage':
      case 'endless':
        return { kind: 'lost', how: rule.answer, delayMs };
      default: {
        const transfer = pickTransfer(rule, random);
        // A rule whose answer says what was applied applies something.
        const answered = answerInstead(rule, this.#options.clock.now()) ?? distort(rule, answer!, random);
        return { kind: 'answered', answer: answered, transfer, delayMs };
      }
    }
  }

  #apply(request: TransportRequest, rule: FaultRule, random: () => number): TransportAnswer | undefined {
    const handle = (one: TransportRequest) => this.#handle(one);
    if (rule.answer === 'items-refused') return applySpared(handle, request, { ...rule, random });
    switch (rule.applied) {
      case 'nothing':
        return undefined;
      case 'whole':
        return handle(request);
      case 'twice':
        handle(request);
        return handle(request);
      case 'others':
        return applySome(handle, request, (muid) => !isAimedAt(rule, muid));
      case 'half':
        return applySome(handle, request, () => random() < 0.5);
      case 'first-part':
      case 'last-part':
        return applyPart(handle, request, rule.applied, random);
      case 'late':
        this.#applyLate(request, rule.lateMs);
        return undefined;
    }
  }

  #handle(request: TransportRequest): TransportAnswer {
    const { clock } = this.#options;
    if (this.#visibility) this.#showUpTo(this.#visibility.idMax(clock.monotonic()));
    try {
      return this.#sandbox.handle(request);
    } finally {
      this.book.write();
      this.#visibility?.note(clock.monotonic(), this.book.newestId());
    }
  }

  #showUpTo(idMax: number): void {
    const { order, cursors, muids } = this.#plan.listing ?? usualListing;
    this.#sandbox.behave({ listing: { order, cursors, muids, idMax } });
  }

  #applyLate(request: TransportRequest, lateMs: number): void {
    const early = new AbortController();
    const applied = this.#options.clock
      .sleep(lateMs, early.signal)
      .catch(() => {})
      .then(() => void this.#handle(request))
      .catch((fault: unknown) => this.#options.onFault?.(fault))
      .finally(() => this.#late.delete(early));
    this.#late.set(early, applied);
  }

  #withDate(delivery: Delivery): Delivery {
    const { clockSkewSeconds } = this.#plan;
    if (clockSkewSeconds === undefined || delivery.kind !== 'answered') return delivery;
    const date = new Date(this.#options.clock.now() + clockSkewSeconds * 1000).toUTCString();
    const { answer } = delivery;
    return { ...delivery, answer: { ...answer, headers: { ...answer.headers, date } } };
  }
}

/** The answer of a rule that says nothing of what was applied. */
function answerInstead(rule: FaultRule, nowMs: number): TransportAnswer | undefined {
  switch (rule.answer) {
    case 'rate-limited':
      return errorAnswer({ status: 429, code: 'ERR_TOO_MANY_REQUESTS', retryAfter: rule.retryAfter }, nowMs);
    case 'error':
      return errorAnswer(rule, nowMs);
    case 'page':
      return pageAnswer(rule.status);
    case 'redirect':
      return redirectAnswer(rule);
    default:
      return undefined;
  }
}

function pickTransfer(rule: FaultRule, random: () => number): Transfer {
  switch (rule.answer) {
    case 'cut':
      return { way: 'cut', share: rule.share ?? random(), framing: rule.framing };
    case 'stalled':
      return { way: 'stalled', share: rule.share ?? random() };
    case 'slow':
      return { way: 'slow', bytesPerSecond: rule.bytesPerSecond, from: rule.from };
    case 'gzip':
    case 'hung-up':
      return { way: rule.answer };
    default:
      return { way: 'whole' };
  }
}

/** A moment and the greatest id that there was. */
interface Stamp {
  readonly atMs: number;
  readonly idMax: number;
}

/** Which messages are old enough to be listed, where ids ascend in the order of arrival. Holds 1,000 stamps at most. */
export class Visibility {
  readonly #delayMs: number;
  /** The first of them is the visible one. */
  #stamps: Stamp[];

  /**
   * @param delayMs more than 0.
   * @param idMax what is there now is visible at once.
   */
  constructor(delayMs: number, idMax: number) {
    this.#delayMs = delayMs;
    this.#stamps = [{ atMs: -Infinity, idMax }];
  }

  /** To be called after every message. Times are rounded up to a thousandth of the delay. */
  note(nowMs: number, idMax: number): void {
    const grainMs = this.#delayMs / 1000;
    const atMs = Math.ceil(nowMs / grainMs) * grainMs;
    const last = this.#stamps.at(-1)!;
    if (last.idMax === idMax) return;
    if (last.atMs === atMs) this.#stamps.pop();
    this.#stamps.push({ atMs, idMax });
    this.#forget(nowMs);
  }

  /** The greatest id that is visible now. */
  idMax(nowMs: number): number {
    this.#forget(nowMs);
    return this.#stamps[0]!.idMax;
  }

  #forget(nowMs: number): void {
    const firstHidden = this.#stamps.findIndex(({ atMs }) => atMs + this.#delayMs > nowMs);
    this.#stamps = this.#stamps.slice((firstHidden < 0 ? this.#stamps.length : Math.max(firstHidden, 1)) - 1);
  }
}
