import type { Facts } from './facts.ts';

/** A filter as it was understood. Every term must hold; of the values of one term, any. */
export interface Filter {
  /** As it was written, with one space between terms: equal texts are equal filters. */
  readonly text: string;
  readonly terms: readonly Term[];
}

export type Term = { readonly isNegated: boolean } & (
  | { readonly key: 'in' | 'from' | 'id' | 'text'; readonly values: readonly string[] }
  | { readonly key: 'kind'; readonly values: readonly Kind[] }
  | { readonly key: 'after' | 'before'; readonly atMs: number }
);

/** Message data that a filter needs, from any origin: an export that is read, or the store. */
export interface FilterSubject {
  readonly muid: string;
  readonly originId: string;
  /** Names by which the conversation may be called, folded: `foldName`. */
  readonly conversationNames: readonly string[];
  readonly senderNames: readonly string[];
  readonly sentAtMs: number;
  readonly facts: Facts;
  /** Returns the text as it is sent. Called only if the filter asks for it. */
  text(): string;
}

/** Names are compared without regard to upper and lower case, and a channel may be called with its `#`. */
export const foldName = (name: string): string => name.toLowerCase().replace(/^[#@](?=.)/, '');

/** The names among them that are there, folded. */
export const foldedNames = (...names: readonly (string | undefined | null)[]): readonly string[] =>
  names.filter((name): name is string => Boolean(name)).map(foldName);

export const matches = ({ terms }: Filter, subject: FilterSubject): boolean =>
  terms.every((term) => holds(term, subject) !== term.isNegated);

function holds(term: Term, subject: FilterSubject): boolean {
  switch (term.key) {
    case 'in':
      return term.values.some((value) => subject.conversationNames.includes(value));
    case 'from':
      return term.values.some((value) => subject.senderNames.includes(value));
    case 'id':
      return term.values.includes(subject.muid) || term.values.includes(subject.originId);
    case 'kind':
      return term.values.some((kind) => isOfKind(kind, subject.facts));
    case 'after':
      return subject.sentAtMs >= term.atMs;
    case 'before':
      return subject.sentAtMs < term.atMs;
    case 'text': {
      const text = subject.text().toLowerCase();
      return term.values.some((value) => text.includes(value));
    }
  }
}

/** Kinds of messages that a filter may ask for, each by the facts that are counted of every message. */
const tests = {
  message: ({ system, calls, internal }) => !system && !calls && !internal,
  internal: ({ internal }) => Boolean(internal),
  system: ({ system }) => Boolean(system),
  call: ({ calls }) => Boolean(calls),
  bot: ({ bot }) => Boolean(bot),
  reply: ({ replies }) => Boolean(replies),
  edited: ({ edited }) => Boolean(edited),
  deleted: ({ deleted }) => Boolean(deleted),
  pinned: ({ pinned }) => Boolean(pinned),
  quote: ({ quotes }) => Boolean(quotes),
  mention: ({ mentions }) => Boolean(mentions),
  reaction: ({ reactions }) => Boolean(reactions),
  file: ({ attachments, filesWithoutAddress }) => Boolean(attachments || filesWithoutAddress),
} as const satisfies Readonly<Record<string, (facts: Facts) => boolean>>;

export type Kind = keyof typeof tests;

export const kinds = Object.keys(tests) as readonly Kind[];

export const isKind = (word: string): word is Kind => Object.hasOwn(tests, word);

const isOfKind = (kind: Kind, facts: Facts): boolean => tests[kind](facts);
