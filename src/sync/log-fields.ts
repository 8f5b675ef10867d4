import { oneLine, truncate } from '../lib/plain-text.ts';
import { redact, type Secret } from '../lib/secret.ts';

/** More says nothing that a person reads in a log. */
const textColumnsMax = 500;
/** Of objects in objects, and of members in one. */
const depthMax = 5;
const membersMax = 100;

/**
 * What may be written of a field: numbers, booleans, and text of one short line without secrets or control characters, at
 * most 5 levels deep and 100 members wide. Anything else (functions, errors, what is deeper) is left out.
 */
export function logFields(
  fields: Readonly<Record<string, unknown>>,
  secrets: readonly Secret[],
): Record<string, unknown> {
  return (fieldOf(fields, secrets, depthMax) ?? {}) as Record<string, unknown>;
}

function fieldOf(value: unknown, secrets: readonly Secret[], depth: number): unknown {
  if (typeof value === 'string') return textOf(value, secrets);
  if (typeof value === 'number' || typeof value === 'boolean' || value === null) return value;
  if (typeof value === 'bigint') return textOf(String(value), secrets);
  if (typeof value !== 'object' || depth === 0 || value instanceof Error) return undefined;
  if (Array.isArray(value)) return value.slice(0, membersMax).map((one) => fieldOf(one, secrets, depth - 1));
  const members = Object.entries(value).slice(0, membersMax);
  return Object.fromEntries(members.map(([name, one]) => [textOf(name, secrets), fieldOf(one, secrets, depth - 1)]));
}

/** Redacted twice: what is taken out between the two may have stood inside a secret. */
function textOf(text: string, secrets: readonly Secret[]): string {
  return truncate(redact(oneLine(redact(text, secrets)), secrets), textColumnsMax);
}
