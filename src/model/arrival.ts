/** Kinds of items that an import brings besides messages, in this order, if a destination has operations for it. */
export const arrivalKinds = ['people', 'groups', 'members'] as const;
export type ArrivalKind = (typeof arrivalKinds)[number];

/** How people and groups come: by operations that the specification lacks, or with the messages that name them. */
export const peopleWays = ['import', 'with-messages'] as const;

/** Why some that were read are not planned. */
export const leftOutByMapping = 'left out by the mapping';

/** Why messages of people who are no members of their group are skipped, by `people.former`. */
export const formerRule = 'message of a former member';

/** How messages in groups are treated of which their authors are no members. */
export const formerWays = ['ask', 'join', 'leave-out'] as const;
export type FormerWay = (typeof formerWays)[number];

/** Who is to come along, by the mapping. */
export interface ArrivalRules {
  readonly former: FormerWay;
  /** The whole directory; else those in planned conversations. */
  readonly everyone: boolean;
  /** People of these kinds do not come. */
  readonly without: readonly ('guests' | 'deleted')[];
  /** Key of the metadata under which e-mail addresses go. Default: they do not. */
  readonly emailAs: string | undefined;
  /** The same for telephone numbers. */
  readonly phoneAs: string | undefined;
  /** Role of bots, which the service has to know. Default: that of everybody. */
  readonly botRole: string | undefined;
  /** Deleted people are called so, and nothing else of them comes. */
  readonly areDeletedNameless: boolean;
  /** Members of groups for which the export lists none. `ask`: none yet. */
  readonly unlisted: 'ask' | 'writers' | 'none';
  /** When the plan was made: no one joined later. */
  readonly nowMs: number;
}

/** Counts of one kind in an export. */
export interface ReadArrivals {
  readonly read: number;
  /** Left out, by reason, in words. */
  readonly skipped: Readonly<Record<string, number>>;
  /** Not to be mapped to a person, by reason, in words. */
  readonly invalid: Readonly<Record<string, number>>;
}
