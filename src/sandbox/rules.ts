import { profiles, type MessageLimits, type Profile } from '../service/profiles.ts';
import { descriptionLengthMax, nameLengthMax } from '../service/limits.ts';

/** What a sandbox refuses. Taken from a profile, so that the sandbox can rehearse what the profile says. */
export interface Rules extends MessageLimits {
  readonly itemsMax: number;
  readonly importsPerMinute?: number;
  readonly nameLengthMax?: number;
  readonly descriptionLengthMax?: number;
  /** What becomes of a muid that is there already. */
  readonly duplicates: 'refused' | 'stored';
  /**
   * What a blank or overdue message does: it gets an answer of its own, or ends the whole request with status 500 after the
   * others were stored, as the public service has been seen to do.
   */
  readonly badRows: 'answered' | 'abort';
}

export function rulesOf(profile: Profile['name'], choices: Pick<Rules, 'duplicates' | 'badRows'>): Rules {
  const { batchItemsMax, importsPerMinute, limits } = profiles[profile];
  return {
    ...limits,
    ...(profile === 'public' && { nameLengthMax, descriptionLengthMax }),
    ...(importsPerMinute !== undefined && { importsPerMinute }),
    itemsMax: batchItemsMax,
    ...choices,
  };
}
