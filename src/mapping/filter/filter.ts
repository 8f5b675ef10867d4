import type { Facts } from '../message/facts.ts';
import { isOfKind, type Kind } from './kinds.ts';

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

/** What a filter asks of a message, wherever it stands: in an export that is read, or in the store. */
export interface FilterSubject {
  readonly muid: string;
  readonly originId: string;
  /** Names by which the conversation may be called, folded: `foldName`. */
  readonly conversationNames: readonly string[];
  readonly senderNames: readonly string[];
  readonly sentAtMs: number;
  readonly facts: Facts;
  /** The text as it is sent. Asked for only where the filter does. */
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
