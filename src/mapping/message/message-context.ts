import type { MessageLimits } from '../../service/profiles.ts';
import type { Rules } from '../rules/rules.ts';

/** What rules ask of somebody who writes. */
export interface PersonTraits {
  /** Whether a file of the export describes them. */
  readonly isKnown: boolean;
  readonly isBot: boolean;
  readonly isGuest: boolean;
  readonly isDeleted: boolean;
  /** False for somebody who should stand in the table of `people.lookup` and does not. */
  readonly isListed: boolean;
}

export interface MessageContext {
  readonly rules: Rules;
  readonly limits: MessageLimits;
  /** Wall time of the plan: for age and future. */
  readonly nowMs: number;
  uidOf(userId: string): string;
  traitsOf(userId: string): PersonTraits;
  /** The first line of a message that is sent, where it is still known: for replies that quote it. */
  rootLine?(muid: string): string | undefined;
}
