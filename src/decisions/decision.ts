import type { Effect } from '../model/option.ts';

/** A question about an export to its owner. Terminal, report, desk and library draw this object, and nothing else asks. */
export interface Decision {
  /** Permanent: `source.messages.author` for a key, the code for a finding, `reading` for the confirmation of a reading. */
  readonly id: string;
  /** A sentence for a person who knows the data: `Who wrote a message?` Never a key. */
  readonly question: string;
  /** A sentence of evidence with numbers. */
  readonly why: string;
  readonly about: About;
  /** Places with their details, at most 12. Rows next to the messages that they become are made on demand: `rows/`. */
  readonly examples: readonly string[];
  /** The best first. Those whose effect is `outside` are shown apart, and taking one decides nothing. */
  readonly options: readonly DecisionOption[];
  /** Another value that may be given, by its type; absent if only the options count. */
  readonly input?: DecisionInput;
  readonly ifUndecided: { readonly stops: true } | { readonly sends: string } | { readonly keepsBack: string };
  /** Null while it is open. */
  readonly answer: Answer | null;
}

/** How much a decision is about. `isExact: false` is shown as "about". Null if nobody knows it yet. */
export interface About {
  readonly count: number | null;
  readonly of: 'messages' | 'rows' | 'people' | 'conversations' | 'files';
  readonly isExact: boolean;
}

export interface DecisionOption {
  /** A verb first, with the count. */
  readonly does: string;
  readonly effect: Effect;
  readonly because: string;
  readonly isProposed: boolean;
  /** It may throw together what belongs apart: last, and never proposed. */
  readonly isLastResort: boolean;
}

/** A value of the owner's own: `key` is what it sets. */
export interface DecisionInput {
  readonly type: 'column' | 'values' | 'zone' | 'table' | 'person' | 'text';
  readonly key: string;
  readonly label: string;
}

export interface Answer {
  /** Index of the option; null for a value of the owner's own. */
  readonly option: number | null;
  /** As `--set` takes it, or words. */
  readonly value: string;
  /** Null if no log says it. */
  readonly by: string | null;
  readonly atMs: number | null;
  /** False if the mapping says otherwise since: then it is open again. */
  readonly holds: boolean;
}
