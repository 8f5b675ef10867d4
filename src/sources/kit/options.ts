import { z } from 'zod';

/** A text, which need not be given. @param about Shown in the help and on pages. */
export const textOption = (about: string) => z.string().default('').describe(about);

/** One of several words; the first one unless another is given. */
export const choiceOption = <const Words extends readonly [string, ...string[]]>(words: Words, about: string) =>
  z
    .enum(words)
    .default(words[0] as Words[number])
    .describe(about);

/** The options of a source without any. */
export const noOptions = z.lazy(() => z.strictObject({}));
