import type { z } from 'zod';
import { truncate } from '../../lib/plain-text.ts';

/** What a module's step came to: its answer, checked, or why there is none. */
export type StepOutcome<Result> =
  | { readonly result: Result; readonly fault?: never }
  | { readonly fault: string; readonly result?: never };

/** Columns of a module's own words that are kept. */
const wordsMax = 300;

/** Calls a step of a module and checks what it answers. A module's mistake costs one record, never the run. */
export function runStep<Result>(name: string, call: () => unknown, schema: z.ZodType<Result>): StepOutcome<Result> {
  let answer: unknown;
  try {
    answer = call();
  } catch (error) {
    return { fault: truncate(`${name} failed: ${error instanceof Error ? error.message : String(error)}`, wordsMax) };
  }
  const parsed = schema.safeParse(answer);
  if (parsed.success) return { result: parsed.data };
  const wasLate = answer instanceof Promise ? ' (a step must not be asynchronous)' : '';
  return {
    fault: truncate(`${name} answered something else than a result${wasLate}: ${wordsOf(parsed.error)}`, wordsMax),
  };
}

/** `data.text: expected string, received number`. Of a union the member that came nearest. */
function wordsOf(error: z.ZodError): string {
  const nearest = (issue: z.core.$ZodIssue): z.core.$ZodIssue => {
    if (issue.code !== 'invalid_union' || issue.errors.length === 0) return issue;
    const deepest = issue.errors.map((issues) => issues[0]!).sort((a, b) => b.path.length - a.path.length)[0]!;
    return { ...nearest(deepest), path: [...issue.path, ...nearest(deepest).path] };
  };
  const { path, message } = nearest(error.issues[0]!);
  return path.length === 0 ? message : `${path.join('.')}: ${message}`;
}

/** A record that a module hands to `next`. @throws Error in words for the module's author. */
export function checkedRecord<R>(
  given: unknown,
  schema: z.ZodType<R>,
  identityOf: (record: R) => string,
  wanted: string,
): R {
  const parsed = schema.safeParse(given);
  if (!parsed.success) throw new Error(`next() was given something else than a record: ${wordsOf(parsed.error)}`);
  if (identityOf(parsed.data) === wanted) return parsed.data;
  throw new Error(`next() was given another record: expected ${wanted}, found ${identityOf(parsed.data)}`);
}
