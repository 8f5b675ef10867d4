import { z } from 'zod';

/** Values of `chatferry.yaml` beside the options. Every scalar comes as text. */

export const text = z.string({ error: 'expected text' }).min(1, { error: 'expected a value, found nothing' });

/** @param parse Throws a RangeError in words for the user. */
export const parsed = <T>(parse: (value: string) => T) =>
  z.string({ error: 'expected one value' }).transform((value, context): T => {
    try {
      return parse(value);
    } catch (error) {
      context.addIssue({ code: 'custom', message: (error as Error).message });
      return z.NEVER;
    }
  });

/** One value, or a list of them. */
export const oneOrMore = <T>(parse: (value: string) => T) =>
  z
    .union([z.string(), z.array(z.string()).min(1)], { error: 'expected a value, or a list of values' })
    .transform((given, context): readonly T[] => {
      try {
        return [given].flat().map(parse);
      } catch (error) {
        context.addIssue({ code: 'custom', message: (error as Error).message });
        return z.NEVER;
      }
    });
