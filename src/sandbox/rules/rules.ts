import { publicRatesPerMinute, type RateClass } from '../../service/operation.ts';
import {
  profiles,
  type MessageLimits,
  type Profile,
  descriptionLengthMax,
  nameLengthMax,
} from '../../service/profiles.ts';

/** Behaviour of the service when nothing is documented, so that either way can be rehearsed. May change between two requests. */
export interface Behaviour {
  /** Result for a muid that already exists. */
  duplicates: 'refused' | 'stored';
  /**
   * Effect of a blank or overdue message: it gets an answer of its own, or ends the whole request with status 500 after
   * the others were stored, as the hosted service has been seen to do.
   */
  badRows: 'answered' | 'abort';
  /** Result for an imported message of a user who is no member of its group: the user joins, or only the message is stored, or it is refused. */
  outsiders: 'join' | 'stored' | 'refused';
  /** Whether a user that is imported with `deactivatedAt` is deactivated at once, so that messages may not name it. */
  importsDeactivated: boolean;
  listing: ListingBehaviour;
}

export interface ListingBehaviour {
  /** By id, or by time and then id: imported messages have new ids and old times. */
  readonly order: 'id' | 'time';
  /** Whether a page begins after the message that the cursor names, or with it. */
  readonly cursors: 'exclusive' | 'inclusive';
  readonly muids: 'shown' | 'hidden';
  /** Messages with greater ids are not listed yet. */
  readonly idMax: number;
}

/** Rules by which a sandbox refuses. Taken from a profile, so that the sandbox can rehearse that profile. */
export interface Rules extends MessageLimits, Behaviour {
  readonly itemsMax: number;
  readonly importCategories: readonly string[];
  /** Whether it has the imports of users, groups and members, which the specification lacks. */
  readonly hasDirectory: boolean;
  /** Whether the content of a custom message has to be in `data.customData`: the hosted service wants that. */
  readonly needsCustomData: boolean;
  /** Requests per minute by class; absent if there is no limit. */
  readonly ratesPerMinute?: Readonly<Record<RateClass, number>>;
  readonly nameLengthMax?: number;
  readonly descriptionLengthMax?: number;
}

export const usualListing: ListingBehaviour = {
  order: 'id',
  cursors: 'exclusive',
  muids: 'shown',
  idMax: Number.MAX_SAFE_INTEGER,
};

/** @param choices what the sandbox begins with. @param limits in place of the profile's. */
export function buildRules(
  profile: Profile['name'],
  choices: Partial<Behaviour> = {},
  limits: MessageLimits & { readonly itemsMax?: number } = profiles[profile].limits,
): Rules {
  const { batchItemsMax, importCategories } = profiles[profile];
  return {
    itemsMax: batchItemsMax,
    ...limits,
    ...(profile === 'hosted' && { nameLengthMax, descriptionLengthMax, ratesPerMinute: publicRatesPerMinute }),
    importCategories,
    hasDirectory: profile === 'hosted',
    needsCustomData: profile === 'hosted',
    duplicates: 'refused',
    badRows: 'answered',
    importsDeactivated: true,
    outsiders: 'join',
    listing: usualListing,
    ...choices,
  };
}
