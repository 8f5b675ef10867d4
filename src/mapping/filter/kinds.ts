import type { Facts } from '../message/facts.ts';

/** Kinds of messages that a filter may ask for, each by the facts that are counted of every message. */
const tests = {
  message: ({ system, calls }) => !system && !calls,
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

export const isOfKind = (kind: Kind, facts: Facts): boolean => tests[kind](facts);
