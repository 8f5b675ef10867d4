/** A choice of the mapping as it is now: the key is one of `choices.ts`. */
export interface ChoiceRow {
  readonly key: string;
  /** As `--set` takes it; a list with commas. Empty if the mapping does not say. */
  readonly value: string;
}

export interface ChoicesView {
  readonly version: string;
  /** Those that the mapping sets to anything but the default. */
  readonly rows: readonly ChoiceRow[];
}

/** A conversation of the latest plan, as the next plan would have it. */
export interface ConversationLine {
  /** In the export. */
  readonly id: string;
  /** In the export. */
  readonly name: string;
  readonly isGroup: boolean;
  readonly read: number;
  readonly planned: number;
  readonly firstAtMs: number | null;
  readonly lastAtMs: number | null;
  readonly isExcluded: boolean;
  /** A name in place of that of the export; empty without one. */
  readonly rename: string;
  /** Empty: as the mapping says for all groups. */
  readonly type: 'private' | 'public' | '';
}

export interface ConversationsView {
  readonly version: string;
  /** False before a plan. */
  readonly isReady: boolean;
  /** The largest of the plan. */
  readonly rows: readonly ConversationLine[];
  /** How many there are. */
  readonly count: number;
}

export interface ChoiceRoutes {
  'GET choices': ChoicesView;
  'POST choice': ChoicesView;
  'GET conversations': ConversationsView;
  'POST conversation': ConversationsView;
}
