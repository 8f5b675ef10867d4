/** A turn of a unit that waits for a worker, or has one. */
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
  readonly leftAtMs: number;
  arrived: Readonly<Record<string, string>> | undefined;
}

interface State {
  readonly jobs: Map<string, Job>;
  readonly units: Map<string, UnitRow>;
  readonly copies: Map<string, CopyRow[]>;
  readonly intents: IntentRow[];
  nextId: number;
  nextSlotMs: number;
  readonly heldUntilMs: Map<string, number>;
  epoch: number;
  /** Of the server, when a loss was last noted. */
  timeline: number;
  lostAtMs: number;
}

export interface Claim {
  readonly job: string;
  readonly attempt: number;
  readonly unit: string;
  readonly token: string;
}

export interface BegunTurn {
  readonly claim: Claim;
  /** The database lost commits since the unit's last copy. */
  readonly isLost: boolean;
  readonly lostAgoMs: number;
  /** The newest first. */
  readonly copies: readonly CopyRow[];
}

/** A worker is silent for so long: its unit is anybody's. In ms. */
export const heartbeatMs = 30_000;
const leaveMs = 1000;
const copiesMax = 3;

/**
 * What PostgreSQL does for a fleet, by the same rules, in memory: `claim`, `holds`, `leave`, `save`, `takeSlot`. Each call is a
 * transaction. Its clock is the world's; nobody else's is asked.
 */
export class FleetModel {
  readonly #now: () => number;
  readonly #isBlind: boolean;
  #state: State;
  /** Goes up when another server takes over. */
  #timeline = 1;
  /** What was committed until when, a second apart. */
  #writtenMs = 0;
  #history: { readonly atMs: number; readonly state: State }[] = [];

  /** @param isBlind Nobody notices that commits are lost. */
  constructor(units: readonly string[], now: () => number, isBlind: boolean) {
    this.#now = now;
    this.#isBlind = isBlind;
    this.#state = {
      jobs: new Map(),
      units: new Map(units.map((unit) => [unit, { claim: undefined, epoch: 1, isDone: false }])),
      copies: new Map(units.map((unit) => [unit, []])),
      intents: [],
      nextId: 1,
      nextSlotMs: 0,
      heldUntilMs: new Map(),
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

  /** What nobody has, or whose worker has been silent for too long. */
  claim(token: string): BegunTurn | undefined {
    this.noteLoss();
    const nowMs = this.#now();
    const job = [...this.#state.jobs.values()].find(({ isActive, startAfterMs, heartbeatMs: beatenMs }) =>
      isActive ? beatenMs + heartbeatMs < nowMs : startAfterMs <= nowMs,
    );
    if (!job) return undefined;
    this.#remember();
    if (job.isActive) job.attempt++;
    job.isActive = true;
    job.heartbeatMs = nowMs;
    const unit = this.#state.units.get(job.unit)!;
    unit.claim = token;
    const { epoch, lostAtMs } = this.#state;
    return {
      claim: { job: job.id, attempt: job.attempt, unit: job.unit, token },
      isLost: unit.epoch !== epoch,
      lostAgoMs: nowMs - lostAtMs,
      copies: this.#state.copies.get(job.unit)!.toReversed(),
    };
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

  /** Whoever looks first after a failover notes it: from then on nobody has a unit, and no list of intents is believed. */
  noteLoss(): void {
    if (this.#isBlind || this.#state.timeline === this.#timeline) return;
    this.#remember();
    this.#state.timeline = this.#timeline;
    this.#state.epoch++;
    this.#state.lostAtMs = this.#now();
    this.#state.nextSlotMs = Math.max(this.#state.nextSlotMs, this.#now() + 61_000);
    for (const unit of this.#state.units.values()) unit.claim = undefined;
  }

  leave(claim: Claim, muids: readonly string[]): { readonly intent: number; readonly withinMs: number } | undefined {
    const leftMs = this.#holds(claim);
    if (leftMs === undefined || leftMs < leaveMs) return undefined;
    this.#remember();
    const intent = this.#state.nextId++;
    this.#state.intents.push({ id: intent, unit: claim.unit, muids, leftAtMs: this.#now(), arrived: undefined });
    return { intent, withinMs: Math.min(leftMs, leaveMs) };
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

  /** Greatest intent of a unit. */
  mark(unit: string): number {
    return this.#state.intents.findLast((intent) => intent.unit === unit)?.id ?? 0;
  }

  /** @returns Keys that nobody needs any more; nothing where the caller has lost the unit. */
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

  /** Ends a turn and begins the next one, if there is one to be. @returns Whether the caller still had the unit. */
  finish(claim: Claim, isDone: boolean, afterMs = 0): boolean {
    if (this.#holds(claim) === undefined) return false;
    this.#remember();
    this.#state.jobs.delete(claim.job);
    const unit = this.#state.units.get(claim.unit)!;
    unit.claim = undefined;
    unit.isDone = isDone;
    if (!isDone) this.#addJob(claim.unit, this.#now() + afterMs);
    return true;
  }

  /** @returns ms to wait. */
  takeSlot(unit: string, perMinute: number): number {
    this.noteLoss();
    this.#remember();
    const nowMs = this.#now();
    const atMs = Math.max(this.#state.nextSlotMs, this.#heldUntil(unit), nowMs);
    // Who is asked for silence takes no slot from others.
    if (!this.isHeld(unit)) this.#state.nextSlotMs = atMs + 60_600 / perMinute;
    return atMs - nowMs;
  }

  holdSlot(unit: string, ms: number): void {
    this.#state.heldUntilMs.set(unit, Math.max(this.#heldUntil(unit), this.#now() + ms));
  }

  isHeld(unit: string): boolean {
    return this.#heldUntil(unit) > this.#now();
  }

  #heldUntil(unit: string): number {
    return this.#state.heldUntilMs.get(unit) ?? 0;
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
    if (nowMs - (this.#history.at(-1)?.atMs ?? Number.NEGATIVE_INFINITY) < 1000) return;
    this.#history.push({ atMs: nowMs, state: structuredClone(this.#state) });
    if (this.#history.length > 100) this.#history.shift();
  }
}
