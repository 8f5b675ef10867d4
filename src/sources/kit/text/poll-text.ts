import { asWord } from '../narrow.ts';
import { bold } from './markdown.ts';

/** The question of a poll, its options, and the number of votes. */
export interface Poll {
  readonly question: string | undefined;
  readonly description?: string | undefined;
  readonly options: readonly { readonly text: unknown; readonly votes: number | undefined }[];
}

/** A poll as text: the question, and a line for each answer with its votes. */
export function pollText({ question, description, options }: Poll): string {
  const lines = options.map(({ text, votes }) => `- ${asWord(text)}${votes ? `: ${votes}` : ''}`);
  return [bold(question ?? 'Poll'), description, ...lines].filter(Boolean).join('\n');
}
