import type { Decision } from '../../src/decisions/decision.ts';
import { parseValue } from '../../src/lib/settings.ts';

export interface QuestionIn {
  /** Inside the `source:` section. */
  readonly key: string;
  readonly because: string;
  readonly readings: readonly { readonly value: unknown }[];
}

/** The open questions in the JSON of `init`, with the values that answer them. */
export const questionsIn = (json: unknown): readonly QuestionIn[] =>
  (json as { readonly open: readonly Decision[] }).open.map(({ id, why, options }) => ({
    key: id.replace(/^source\./, ''),
    because: why,
    readings: options.map(({ effect }) => ({ value: 'sets' in effect ? parseValue(effect.sets[id]!) : undefined })),
  }));
