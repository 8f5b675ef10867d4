import type { z } from 'zod';

/**
 * For keys that may be written in several ways: what is wrong inside the way that was meant, if one fits but for that;
 * else which ways there are.
 *
 * @param expected `expected a column or { from, separator }`.
 */
export const unionFault =
  (expected: string) =>
  (issue: z.core.$ZodRawIssue): string => {
    const ways = issue.code === 'invalid_union' ? (issue.errors as readonly (readonly z.core.$ZodIssue[])[]) : [];
    // A fault at the top says that another way was meant.
    const meant = ways.find((faults) => faults.length > 0 && faults.every(({ path }) => path.length > 0));
    return meant ? meant.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; ') : expected;
  };
