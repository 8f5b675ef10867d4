import { isDeepStrictEqual } from 'node:util';
import { version } from '../lib/version.ts';
import type { Rules } from '../mapping/rules.ts';
import type { Facts } from '../mapping/facts.ts';
import type { Planning } from './plan-options.ts';

/** The files of an export that a changed mapping touches. */
export interface Touched {
  /** Ids in the store. */
  readonly files: readonly number[];
  /** Ids of conversations whose exclusion changed and that a file describes: their description is to be checked again. */
  readonly described: readonly number[];
  /** What the store says of the independence of files: it still holds once the touched ones were read again. */
  readonly independence: string;
}

/** What a first plan has shown: what is read of a file does not depend on the files before it. */
interface Independence {
  /** Version of the program: another may map rows in another way. */
  readonly program: string;
  /** Hash of the table of uids, empty without one: the hash of a mapping does not tell it from the rules. */
  readonly lookup: string;
  /** Whether no conversation was described twice. */
  readonly isDescribedOnce: boolean;
}

/** Result of a first plan. */
export interface FirstReading {
  /** Ways in which people or conversations depended on the order of reading. */
  readonly order: ReadonlySet<'named' | 'described'>;
  readonly hasDuplicates: boolean;
}

/** Returns what a first plan writes into the store for `touchedBy`; empty if files depend on each other. */
export function independenceOf({ options: { mapping } }: Planning, { order, hasDuplicates }: FirstReading): string {
  if (hasDuplicates || order.has('named')) return '';
  const independence: Independence = {
    program: version,
    lookup: mapping.lookup?.hash ?? '',
    isDescribedOnce: !order.has('described'),
  };
  return JSON.stringify(independence);
}

/**
 * Reading half of a larger export again, next to its rows, takes as long as reading all of it into an empty store.
 */
const smallBytes = 1_000_000;

/** Keys of `messages` that decide about messages with one fact, and about no others. */
const factOf = {
  system: 'system',
  calls: 'calls',
  deleted: 'deleted',
  edited: 'edited',
  internal: 'internal',
} as const satisfies Partial<Record<keyof Rules['messages'], keyof Facts>>;

/**
 * Returns the files with messages that a changed mapping touches, if all others would be staged as they are. Undefined if that is not certain: then
 * everything is to be read again. Called before the new rules are saved.
 *
 * Certain are few keys, in a store to which one first plan has written of this export, and nothing since but plans of changed rules; it showed that
 * neither people nor conversations depend on the order of reading. Rules under which a message depends on others (quotes of roots, merges) exclude it.
 */
export function touchedBy(planning: Planning, before: Rules): Touched | undefined {
  const { store, options } = planning;
  const { rules } = options.mapping;
  const independence = store.readMeta('independence') ?? '';
  if (!isIndependent(planning, independence) || !isAsPlanned(planning) || dependsOnOthers(rules)) return undefined;
  if (!isDeepStrictEqual(withoutTouching(before), withoutTouching(rules))) return undefined;
  const facts = Object.entries(factOf).filter(([key]) => {
    const name = key as keyof typeof factOf;
    return before.messages[name] !== rules.messages[name];
  });
  const files = new Set(facts.flatMap(([, fact]) => store.staging.filesWithFact(fact)));
  if (before.people.unknownAuthors !== rules.people.unknownAuthors)
    for (const file of store.staging.filesOfUnknownAuthors()) files.add(file);
  const conversations = conversationsOf(planning, before, independence);
  if (!conversations) return undefined;
  for (const file of conversations.files) files.add(file);
  const { some, all } = store.staging.bytesOfFiles([...files]);
  if (all > smallBytes && some * 2 > all) return undefined;
  return { files: [...files], described: conversations.described, independence };
}

/** Whether the first plan of this store found its files independent, by the same program and the same table of uids. */
function isIndependent({ options }: Planning, independence: string): boolean {
  if (!independence.startsWith('{')) return false;
  const { program, lookup } = JSON.parse(independence) as Independence;
  return program === version && lookup === (options.mapping.lookup?.hash ?? '');
}

/** Whether the store has what plans of the same exports have staged, and nothing else. */
function isAsPlanned({ store, options, inputs, corrections, actions }: Planning): boolean {
  const isPlain = !corrections && !options.only && options.exportScope !== 'window' && actions.length === 0;
  const isUsed = (['media', 'contentPurged', 'merged'] as const).some((key) => store.readMeta(key) !== undefined);
  return (
    isPlain &&
    !isUsed &&
    isDeepStrictEqual(
      store.staging.inputPaths(),
      inputs.map(({ key }) => key),
    ) &&
    store.staging.isOnlyPlanned()
  );
}

/** Whether these rules let a message depend on others, or on the order in which people are named. */
function dependsOnOthers({ module, people, conversations, messages }: Rules): boolean {
  return (
    module !== undefined ||
    people.merge.length > 0 ||
    people.collisions !== 'stop' ||
    people.uid.includes('{name}') ||
    conversations.merge.length > 0 ||
    messages.threads === 'quote' ||
    // The parts of a text are sent in the order in which they were staged.
    messages.overlong === 'split' ||
    // Otherwise a plan does not note whom messages name.
    messages.mentions !== 'metadata' ||
    messages.reactions !== 'metadata'
  );
}

/** The rules without the keys that touch some files only. */
function withoutTouching(rules: Rules): unknown {
  const { people, conversations, messages } = rules;
  const others = Object.entries(messages).filter(([key]) => !Object.hasOwn(factOf, key));
  const rest = {
    ...rules,
    people: { ...people, unknownAuthors: undefined },
    conversations: { ...conversations, exclude: undefined },
    messages: Object.fromEntries(others),
  };
  // As they come out of the store: without keys that are not set.
  return JSON.parse(JSON.stringify(rest));
}

/** Files of conversations whose exclusion changed; undefined if a name is not that of a conversation as it was staged. */
function conversationsOf(
  { store, options }: Planning,
  { conversations: { exclude: before } }: Rules,
  independence: string,
): Pick<Touched, 'files' | 'described'> | undefined {
  const now = options.mapping.rules.conversations.exclude;
  const names = [...new Set(before).symmetricDifference(new Set(now))];
  if (names.length === 0) return { files: [], described: [] };
  const called = store.staging.conversationsCalled(names);
  const isKnown = (wanted: string) => called.some(({ sourceId, name }) => sourceId === wanted || name === wanted);
  if (!names.every(isKnown)) return undefined;
  const described = called.filter(({ isPlaceholder }) => isPlaceholder === 0).map(({ id }) => id);
  if (described.length > 0 && !(JSON.parse(independence) as Independence).isDescribedOnce) return undefined;
  return { files: store.staging.filesOfConversations(called.map(({ id }) => id)), described };
}
