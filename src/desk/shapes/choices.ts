/** A choice of the mapping as it is now: the key is one of `choices.ts`. */
export interface ChoiceRow {
  readonly key: string;
  /** As `--set` takes it; a list with a line for each. Empty if the mapping does not say. */
  readonly value: string;
}

export interface ChoicesView {
  readonly version: string;
  /** Those that the mapping sets to anything but the default. */
  readonly rows: readonly ChoiceRow[];
}

export interface ChoiceRoutes {
  'GET choices': ChoicesView;
  'POST choice': ChoicesView;
}
