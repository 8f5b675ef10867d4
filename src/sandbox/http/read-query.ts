import { z } from 'zod';
import { detailsOf } from './answers.ts';

type Details = Readonly<Record<string, readonly string[]>>;

/**
 * The parameters of a query string, or what is wrong with them by name. An empty value counts as not given. A parameter that
 * nobody declared is wrong: passed over in silence, it would look like a filter.
 */
export function readQuery(
  schema: z.ZodObject | undefined,
  search: string,
): { readonly value: unknown } | { readonly details: Details } {
  const given: Record<string, string | string[]> = {};
  // Names come from outside: one may be `__proto__`.
  const details = new Map<string, readonly string[]>();
  for (const [spelling, value] of new URLSearchParams(search)) {
    const name = spelling.replace(/\[\]$/, '');
    const field = schema && Object.hasOwn(schema.shape, name) ? schema.shape[name] : undefined;
    if (value === '') continue;
    if (!field) details.set(name, ['no parameter of this operation']);
    else if (isList(field)) given[name] = [...(given[name] ?? []), value];
    else given[name] = value;
  }
  if (given.id !== undefined && !/^\d{1,15}$/.test(String(given.id)))
    details.set('id', ['expected the id of a message']);
  const { data, error } = (schema ?? z.object({})).safeParse(given);
  if (data && details.size === 0) return { value: data };
  return { details: { ...detailsOf(error?.issues ?? []), ...Object.fromEntries(details) } };
}

const isList = (field: z.core.$ZodType): boolean =>
  field instanceof z.ZodArray || (field instanceof z.ZodOptional && field.unwrap() instanceof z.ZodArray);
