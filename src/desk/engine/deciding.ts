import { existsSync } from 'node:fs';
import { ChatferryError } from '../../lib/errors.ts';
import type { ReportData } from '../../report/report-data.ts';
import type { Card } from '../shapes.ts';
import { isOpen } from '../../decisions/decision.ts';
import type { DecideFacts } from './decisions.ts';
import type { Looking, LookingOptions } from './looking.ts';
import type { Inspection } from '../../commands/results.ts';

export interface DecidingOptions extends Pick<LookingOptions, 'workspace' | 'engine' | 'onFault'> {
  readonly looking: Looking;
  /** Called when other cards are known. */
  readonly onChange: () => void;
}

/** The parts of a report that cards need. Nothing else, because it is sent to the thread with each call. */
function pickPlan(report: ReportData): DecideFacts['plan'] {
  const { generatedAtMs, runId, decisions, totals, contents } = report;
  return { id: `${generatedAtMs} ${runId}`, decisions, totals, contents };
}

/** The decisions of a migration. They follow from the files and the export, and are worked out again when one of these has changed. */
export class Deciding {
  readonly #options: DecidingOptions;
  #key = '';
  #cards: Promise<readonly Card[]> = Promise.resolve([]);
  #open: number | null = null;
  #hasFailed = false;
  #isPlanCurrent = true;
  #plan: string | undefined;

  constructor(options: DecidingOptions) {
    this.#options = options;
  }

  /** Cards that are to be decided, as far as is known. */
  get open(): number | null {
    return this.#open;
  }

  /** Whether the latest plan has the answers of this moment, as far as is known. */
  get isPlanCurrent(): boolean {
    return this.#isPlanCurrent;
  }

  /** Sees whether something has changed. @throws UsageError if the configuration cannot be read */
  check(): void {
    const facts = this.facts();
    if (facts !== undefined) void this.#begin(facts);
  }

  /** Open cards first; none without an export. @throws SourceError, UsageError */
  async cards(): Promise<readonly Card[]> {
    const facts = this.facts();
    // Whatever was in the way may be gone.
    if (this.#hasFailed) this.#key = '';
    return facts === undefined ? [] : await this.#begin(facts);
  }

  /** The facts on which decisions depend at this moment; undefined if there is no export that can be read. @throws UsageError */
  facts(): DecideFacts | undefined {
    const { workspace, looking } = this.#options;
    const exports = workspace.exports();
    const { found } = looking;
    if (exports.length === 0 || found === undefined || 'error' in found) return undefined;
    const { source, workspace: named } = workspace.options();
    const { mapping, store } = workspace.paths();
    const report = workspace.report('plan');
    const plan = report === null ? null : pickPlan(report);
    const unread = looking.inspection?.notMigrated ?? [];
    const counted = pickCounts(looking.inspection);
    const version = JSON.stringify([exports, workspace.version(), plan?.id, unread.length, counted]);
    return { exports, source, workspace: named, mapping, store, plan, unread, counted, version };
  }

  #begin(facts: DecideFacts): Promise<readonly Card[]> {
    const { engine, onChange, onFault } = this.#options;
    if (facts.version === this.#key) return this.#cards;
    [this.#key, this.#hasFailed] = [facts.version, false];
    const cards = engine.call('cards', facts);
    this.#cards = cards;
    cards.then(
      (found) => {
        if (facts.version !== this.#key) return;
        this.#open = found.filter(isOpen).length;
        onChange();
      },
      (error) => {
        if (facts.version !== this.#key) return;
        [this.#open, this.#hasFailed] = [null, true];
        // A request for the cards gets the words.
        if (!(error instanceof ChatferryError)) onFault(error);
      },
    );
    // A new plan has the answers of its time: those of the plan before say nothing of it.
    if (facts.plan?.id !== this.#plan) this.#isPlanCurrent = true;
    this.#plan = facts.plan?.id;
    void this.#comparePlan(facts);
    return cards;
  }

  async #comparePlan({ plan, exports, version }: DecideFacts): Promise<void> {
    const { workspace, engine, onChange, onFault } = this.#options;
    try {
      const { store, mapping } = workspace.options();
      const isCurrent =
        plan === null || !existsSync(store) || (await engine.call('isPlanOfMapping', { store, mapping, exports }));
      if (version !== this.#key || isCurrent === this.#isPlanCurrent) return;
      this.#isPlanCurrent = isCurrent;
      onChange();
    } catch (error) {
      // A request for the report gets the words.
      if (!(error instanceof ChatferryError)) onFault(error);
    }
  }
}

/** Null if nothing was counted, because it was not decided yet how the export is read. */
function pickCounts(inspection: Inspection | undefined): DecideFacts['counted'] {
  if (inspection === undefined || inspection.open.length > 0) return null;
  const { rows, people, conversations } = inspection;
  return { messages: rows, people, conversations: Object.values(conversations).reduce((sum, count) => sum + count, 0) };
}
