/**
 * Evidence for and against a reading, and its weight: all the weights of `init` are in this file.
 *
 * A fact is seen in values, and every row is checked against it while reading. A name only ranks: a reading that has
 * names alone is a question, however many points it has.
 */
export const evidences = {
  // Columns: who wrote a message, where it belongs.
  keysOfPeople: { points: 5, isFact: true, words: 'its values are ids of the people' },
  mayBeKeys: { points: 3, isFact: true, words: 'its values are among the ids of the people' },
  keysOfRooms: { points: 5, isFact: true, words: 'its values are ids of the conversations' },
  partlyKeys: { points: 3, isFact: true, words: 'most of its values are ids of that table' },
  hasMembers: { points: 2, isFact: true, words: 'another table says who its members are' },
  comesAgain: { points: 2, isFact: true, words: 'its values come again, and differ from row to row' },
  meetsRecipients: { points: 3, isFact: true, words: 'those who are written to are among its values' },
  takesTurns: { points: 1, isFact: true, words: 'it is another in most rows than in the row before' },
  goesOn: { points: 1, isFact: true, words: 'it is the same in most rows as in the row before' },
  usualName: { points: 3, words: 'its name is a usual one' },
  namedSo: { points: 1, words: 'its name has a word for it' },
  looksLikePeople: { points: 1, words: 'its values look like names or addresses of people' },
  otherPerson: { points: -4, words: 'its name means another person: an editor, an assignee, a reader' },
  describesMessage: { points: -4, words: 'its name says something of the message, not of people or rooms' },
  namedOtherwise: { points: -3, words: 'its name has a word for something else' },
  fewValues: { points: -3, words: 'it has two values at most' },
  partlyFilled: { points: -3, words: 'not every row has a value' },
  // Tables: which holds what.
  namedByAuthors: { points: 3, isFact: true, words: 'a declared key says that authors are its rows' },
  namedByPeople: { points: 2, isFact: true, words: 'columns that are named as those of people name its rows' },
  namedPeople: { points: 2, words: 'named like people' },
  onePersonColumn: { points: 1, words: 'a column that only people have: a mail address, a login, a first name' },
  twoPersonColumns: { points: 1, words: 'a second one' },
  threePersonColumns: { points: 1, words: 'a third one' },
  hasText: { points: 2, isFact: true, words: 'texts of people' },
  hasTime: { points: 2, isFact: true, words: 'a time in nearly every row' },
  hasAuthor: { points: 2, isFact: true, words: 'a person' },
  hasPlace: { points: 2, isFact: true, words: 'a conversation' },
  namedMessages: { points: 2, words: 'named like messages' },
  namesBoth: { points: 4, isFact: true, words: 'a person and a conversation in each row, and no text' },
  namedMembers: { points: 2, words: 'named like members' },
  namedOtherThan: { points: -3, words: 'named like something else: drafts, logs, templates, older versions' },
} as const satisfies Readonly<
  Record<string, { readonly points: number; readonly isFact?: true; readonly words: string }>
>;

export type EvidenceName = keyof typeof evidences;

/** Something that may be the answer, with what speaks for it. */
export interface Candidate<T> {
  readonly value: T;
  readonly evidence: readonly EvidenceName[];
  readonly points: number;
}

export function candidate<T>(value: T, found: Readonly<Partial<Record<EvidenceName, boolean>>>): Candidate<T> {
  const evidence = (Object.keys(found) as EvidenceName[]).filter((name) => found[name]);
  return { value, evidence, points: evidence.reduce((sum, name) => sum + evidences[name].points, 0) };
}

/** `+5 its values are ids of the people; +3 its name is a usual one`. */
export const explained = ({ evidence }: Candidate<unknown>): string =>
  evidence.map((name) => `${signed(evidences[name].points)} ${evidences[name].words}`).join('; ');

const signed = (points: number) => (points > 0 ? `+${points}` : String(points));

export const listFacts = ({ evidence }: Candidate<unknown>): readonly EvidenceName[] =>
  evidence.filter((name) => 'isFact' in evidences[name]);

export const hasFact = (one: Candidate<unknown>): boolean => listFacts(one).length > 0;
