import { splitWords } from '../../../model/visibility-words.ts';
import type { ColumnProfile } from './columns.ts';

/** Chats with a language model: a role says whether the person wrote, the model, or neither. */

const wordSet = (words: string): ReadonlySet<string> => new Set(words.split(' '));
const sides = {
  /** Prompts, calls of tools and their results: no words of either. */
  neither: wordSet('system tool tools function functions developer instruction observation result'),
  model: wordSet('assistant ai bot chatbot model gpt chatgpt llm claude gemini copilot'),
  person: wordSet('user human'),
} as const;

type Side = keyof typeof sides;
type Roles = Readonly<Record<Side, readonly string[]>>;

/** The words of a role by who wrote; undefined if a word is of another kind, or one of the two never wrote. */
export function splitRoles({
  name,
  texts,
  rowCount,
}: Pick<ColumnProfile, 'name' | 'texts' | 'rowCount'>): Roles | undefined {
  if (texts.length < rowCount || !/role|sender|author|speaker|from|type|actor|party|side|source/i.test(name))
    return undefined;
  const found = { neither: [] as string[], model: [] as string[], person: [] as string[] };
  for (const word of new Set(texts)) {
    // `AIMessage`, `HumanMessageChunk`.
    const words = splitWords(word.replace(/_?message(?:_?chunk)?$/i, ''));
    const side = (Object.keys(sides) as Side[]).find((one) => words.some((part) => sides[one].has(part)));
    if (side === undefined || words.length > 3) return undefined;
    found[side].push(word);
  }
  return found.model.length > 0 && found.person.length > 0 ? found : undefined;
}

/** Whether a column says of each row that the person or the model wrote it. */
export const isRole = (profile: ColumnProfile): boolean => splitRoles(profile) !== undefined;
