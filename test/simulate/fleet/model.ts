/** A lease of a unit that waits for a worker, or has one. */
interface Job {
  readonly id: string;
  readonly unit: string;
  attempt: number;
  isActive: boolean;
  /** When it may be claimed. */
  readonly startAfterMs: number;
  heartbeatMs: number;
}

interface UnitRow {
  claim: string | undefined;
  epoch: number;
  isDone: boolean;
  /** Leases in a row that failed. */
  failures: number;
}

export interface CopyRow {
  readonly number: number;
  readonly key: string;
  /** Greatest intent that it surely holds. */
  readonly mark: number;
  readonly savedAtMs: number;
  readonly epoch: number;
}

export interface IntentRow {
  readonly id: number;
  readonly unit: string;
  readonly muids: readonly string[];
  readonly arrivals: readonly number[];
  readonly leftAtMs: number;
  arrived: Readonly<Record<string, string>> | undefined;
}

interface Slot {
  nextMs: number;
  heldUntilMs: number;
}

interface State {
  readonly jobs: Map<string, Job>;
  readonly units: Map<string, UnitRow>;
  readonly copies: Map<string, CopyRow[]>;
  readonly intents: IntentRow[];
  nextId: number;
  readonly slots: Map<string, Slot>;
  epoch: number;
  /** Timeline of the server when a loss was last noted. */
  timeline: number;
  lostAtMs: number;
}

export interface Claim {
  readonly job: string;
  readonly attempt: number;
  readonly unit: string;
  readonly token: string;
}

export interface BegunLease {
  readonly claim: Claim;
  /** Epoch of the fleet. */
  readonly epoch: number;
  /** The database lost commits since the unit's last copy. */
  readonly isLost: boolean;
  readonly lostAgoMs: number;
  /** Leases of the unit in a row that failed. */
  readonly failures: number;
  /** The newest first. */
  readonly copies: readonly CopyRow[];
}

/** Result of a lease. */
export interface LeaseEnd {
  readonly isDone: boolean;
  readonly failures: number;
  /** When the next one is due, from now. */
  readonly afterMs: number;
}

/** A worker is silent for so long: its unit is anybody's. In ms. */
export const heartbeatMs = 30_000;
const permitMs = 1000;
const copiesMax = 3;

/**
 * PostgreSQL's work for a fleet, by the same rules, in memory: `claim`, `holds`, `leave`, `save`, `takeSlot`. Each call
 * is a transaction. It uses the world's clock and no other.
 */
export class FleetModel {
  takeovers = 0;
  readonly #now: () => number;
  readonly #isBlind: boolean;
  #state: State;
  /** Goes up when another server takes over. */
  #timeline = 1;
  /** Time of the last commit. The history holds committed states, a second apart. */
  #writtenMs = 0;
  readonly #mayFailOver: boolean;
  #history: { readonly atMs: number; readonly state: State }[] = [];

  /**
   * @param options `isBlind`: lost commits stay unnoticed. `mayFailOver`: committed states are kept for a failover.
   */
  constructor(
    units: readonly string[],
    now: () => number,
    { isBlind, mayFailOver }: { readonly isBlind: boolean; readonly mayFailOver: boolean },
  ) {
    this.#now = now;
    this.#isBlind = isBlind;
    this.#mayFailOver = mayFailOver;
    this.#state = {
      jobs: new Map(),
      units: new Map(units.map((unit) => [unit, { claim: undefined, epoch: 1, isDone: false, failures: 0 }])),
      copies: new Map(units.map((unit) => [unit, []])),
      intents: [],
      nextId: 1,
      slots: new Map(),
      epoch: 1,
      timeline: 1,
      lostAtMs: 0,
    };
    for (const unit of units) this.#addJob(unit, 0);
  }

  get isDone(): boolean {
    return [...this.#state.units.values()].every(({ isDone }) => isDone);
  }

  /** Another server goes on, with what was committed until then. @returns For how long the commits are missing, in ms. */
  failOver(lostMs: number): number {
    const nowMs = this.#now();
    this.#timeline++;
    if (this.#writtenMs <= nowMs - lostMs) return 0;
    const kept = this.#history.findLast(({ atMs }) => atMs <= nowMs - lostMs);
    if (!kept) return 0;
    this.#state = structuredClone(kept.state);
    return nowMs - kept.atMs;
  }

  /**
   * Claims a unit that no worker has, or whose worker has been silent for too long.
   * @returns If there is none: the least time until there may be one, in ms.
   */
  claim(token: string): BegunLease | number {
    this.noteLoss();
    const nowMs = this.#now();
    const job = [...this.#state.jobs.values()].find(({ isActive, startAfterMs, heartbeatMs: beatenMs }) =>
      isActive ? beatenMs + heartbeatMs < nowMs : startAfterMs <= nowMs,
    );
    if (!job) return this.#idleMs();
    this.#remember();
    if (job.isActive) {
      job.attempt++;
      this.takeovers++;
    }
    job.isActive = true;
    job.heartbeatMs = nowMs;
    const unit = this.#state.units.get(job.unit)!;
    unit.claim = token;
    const { epoch, lostAtMs } = this.#state;
    return {
      claim: { job: job.id, attempt: job.attempt, unit: job.unit, token },
      epoch,
      isLost: unit.epoch !== epoch,
      lostAgoMs: nowMs - lostAtMs,
      failures: unit.failures,
      copies: this.copies(job.unit),
    };
  }

  #idleMs(): number {
    const jobs = [...this.#state.jobs.values()];
    if (jobs.some(({ isActive }) => isActive)) return 0;
    return Math.min(...jobs.map(({ startAfterMs }) => startAfterMs)) - this.#now();
  }

  /** @returns Whether the worker still has the job. */
  beat({ job, attempt }: Claim): boolean {
    this.noteLoss();
    const found = this.#state.jobs.get(job);
    if (!found?.isActive || found.attempt !== attempt) return false;
    this.#remember();
    found.heartbeatMs = this.#now();
    return true;
  }

  /** Notes a loss at the first check after a failover: from then on no worker has a unit, and no list of intents is trusted. */
  noteLoss(): void {
    if (this.#isBlind || this.#state.timeline === this.#timeline) return;
    this.#remember();
    this.#state.timeline = this.#timeline;
    this.#state.epoch++;
    this.#state.lostAtMs = this.#now();
    for (const slot of this.#state.slots.values()) slot.nextMs = Math.max(slot.nextMs, this.#now() + 61_000);
    for (const unit of this.#state.units.values()) unit.claim = undefined;
  }

  leave(
    claim: Claim,
    { muids, arrivals }: Pick<IntentRow, 'muids' | 'arrivals'>,
  ): { readonly intent: number; readonly withinMs: number } | undefined {
    const leftMs = this.#holds(claim);
    if (leftMs === undefined || leftMs < permitMs) return undefined;
    this.#remember();
    const intent = this.#state.nextId++;
    this.#state.intents.push({
      id: intent,
      unit: claim.unit,
      muids,
      arrivals,
      leftAtMs: this.#now(),
      arrived: undefined,
    });
    return { intent, withinMs: Math.min(leftMs, permitMs) };
  }

  tell(intent: number, arrived: Readonly<Record<string, string>>): void {
    const found = this.#state.intents.find(({ id }) => id === intent);
    if (!found) return;
    this.#remember();
    found.arrived = arrived;
  }

  intentsSince(unit: string, mark: number): readonly (IntentRow & { readonly agoMs: number })[] {
    const ours = this.#state.intents.filter((intent) => intent.unit === unit && intent.id > mark);
    return ours.map((intent) => ({ ...intent, agoMs: this.#now() - intent.leftAtMs }));
  }

  /** How long ago its last request left, as far as anybody knows, in ms. */
  lastLeftAgoMs(unit: string): number | undefined {
    const last = this.#state.intents.findLast((intent) => intent.unit === unit);
    return last && this.#now() - last.leftAtMs;
  }

  /** Greatest intent of a unit. */
  mark(unit: string): number {
    return this.#state.intents.findLast((intent) => intent.unit === unit)?.id ?? 0;
  }

  /** The newest first. */
  copies(unit: string): readonly CopyRow[] {
    return this.#state.copies.get(unit)!.toReversed();
  }

  /**
   * @returns Keys that are not needed any more; undefined if the caller has lost the unit.
   */
  save(claim: Claim, copy: Pick<CopyRow, 'key' | 'number' | 'mark'>): readonly string[] | undefined {
    if (this.#holds(claim) === undefined) return undefined;
    this.#remember();
    const { epoch, units, copies } = this.#state;
    const mine = copies.get(claim.unit)!;
    mine.push({ ...copy, savedAtMs: this.#now(), epoch });
    const gone = mine.splice(0, Math.max(0, mine.length - copiesMax));
    const least = Math.min(...mine.map(({ mark }) => mark));
    if (mine.length === copiesMax) this.#dropIntents(claim.unit, least);
    units.get(claim.unit)!.epoch = epoch;
    return gone.map(({ key }) => key);
  }

  /** Ends a lease and begins the next one, if there is one to be. @returns Whether the caller still had the unit. */
  finish(claim: Claim, { isDone, failures, afterMs }: LeaseEnd): boolean {
    if (this.#holds(claim) === undefined) return false;
    this.#remember();
    this.#state.jobs.delete(claim.job);
    const unit = this.#state.units.get(claim.unit)!;
    unit.claim = undefined;
    unit.isDone = isDone;
    unit.failures = failures;
    if (!isDone) this.#addJob(claim.unit, this.#now() + afterMs);
    return true;
  }

  /** @returns ms to wait. */
  takeSlot(key: string, perMinute: number | undefined, spareMs: number): number {
    this.#remember();
    const slot = this.#slot(key);
    const nowMs = this.#now();
    const atMs = Math.max(slot.heldUntilMs, nowMs, perMinute === undefined ? 0 : slot.nextMs);
    if (perMinute !== undefined) slot.nextMs = atMs + 60_600 / perMinute + spareMs;
    return atMs - nowMs;
  }

  /** @returns For how many ms more nothing may leave. */
  holdSlot(key: string, ms: number): number {
    this.#remember();
    const slot = this.#slot(key);
    slot.heldUntilMs = Math.max(slot.heldUntilMs, this.#now() + ms);
    return Math.max(0, slot.heldUntilMs - this.#now());
  }

  isHeld(key: string): boolean {
    return this.#slot(key).heldUntilMs > this.#now();
  }

  #slot(key: string): Slot {
    let slot = this.#state.slots.get(key);
    if (!slot) {
      slot = { nextMs: 0, heldUntilMs: 0 };
      this.#state.slots.set(key, slot);
    }
    return slot;
  }

  #holds({ job, attempt, unit, token }: Claim): number | undefined {
    const found = this.#state.jobs.get(job);
    if (!found?.isActive || found.attempt !== attempt || this.#state.units.get(unit)!.claim !== token) return undefined;
    return found.heartbeatMs + heartbeatMs - this.#now();
  }

  #addJob(unit: string, startAfterMs: number): void {
    const id = `job ${this.#state.nextId++}`;
    this.#state.jobs.set(id, { id, unit, attempt: 0, isActive: false, startAfterMs, heartbeatMs: 0 });
  }

  #dropIntents(unit: string, upTo: number): void {
    const kept = this.#state.intents.filter((intent) => intent.unit !== unit || intent.id > upTo);
    this.#state.intents.splice(0, Infinity, ...kept);
  }

  /** As it was before this write: what a failover may go back to. */
  #remember(): void {
    const nowMs = this.#now();
    this.#writtenMs = nowMs;
    const lastMs = this.#history.at(-1)?.atMs ?? Number.NEGATIVE_INFINITY;
    if (!this.#mayFailOver || nowMs - lastMs < 1000) return;
    this.#history.push({ atMs: nowMs, state: structuredClone(this.#state) });
    if (this.#history.length > 100) this.#history.shift();
  }
}
