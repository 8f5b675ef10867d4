import type { MessageLimits } from '../service/profiles.ts';

/** What a check may look at: a message as it would be sent, and what the destination is known to refuse. */
export interface Checked {
  readonly text: string;
  readonly attachmentCount: number;
  /** JSON of `data`. */
  readonly data: string;
  readonly tags: readonly string[];
  readonly sentAtMs: number;
  readonly limits: MessageLimits;
  /** Wall time of the plan. */
  readonly nowMs: number;
}

/** One named rule that blocks a message. */
export interface Check {
  /** Stable; part of reports: `blank-text`. */
  readonly code: string;
  /** One sentence for people: what this means and what to do. */
  readonly explanation: string;
  /** Words for this message, or nothing if it passes. */
  find(message: Checked): string | undefined;
}
