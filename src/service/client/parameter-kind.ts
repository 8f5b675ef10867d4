import { z } from 'zod';

/** What can be given for a parameter of a path, a header or a query. */
export type ParameterKind =
  | { readonly is: 'text' | 'integer' | 'boolean' | 'list' }
  | { readonly is: 'choice'; readonly choices: readonly string[] };

/** Read from the schema of the contract. */
export function parameterKind(schema: z.ZodType): ParameterKind {
  const inner = schema instanceof z.ZodOptional ? schema.unwrap() : schema;
  if (inner instanceof z.ZodEnum) return { is: 'choice', choices: inner.options.map(String) };
  if (inner instanceof z.ZodArray) return { is: 'list' };
  if (!(inner instanceof z.ZodPipe)) return { is: 'text' };
  return { is: inner.out instanceof z.ZodBoolean ? 'boolean' : 'integer' };
}

/** Whether a call is refused without it. */
export const isRequired = (schema: z.ZodType): boolean => !schema.safeParse(undefined).success;
