import type { z } from 'zod';
import { SourceError } from '../../lib/errors.ts';
import type { Location } from '../../lib/text/location.ts';
import { oneLine, truncate } from '../../lib/text/plain-text.ts';
import { formatCount } from '../../lib/text/count.ts';
import { formatVersion, headerSchema, lineKinds, type Header } from './format.ts';
import { docsLink } from '../../lib/docs-link.ts';

/** Columns of a wrong value that are shown. */
const shownMax = 40;

/** Returns what is wrong with a line, the first fault in full: `/origin/id: expected a text, found nothing; 2 more faults`. */
export function describeFault(issues: readonly z.core.$ZodIssue[], line: unknown): string {
  const [first] = issues;
  const more = issues.length - 1;
  return `${describeIssue(first!, line)}${more > 0 ? `; ${formatCount(more)} more ${more === 1 ? 'fault' : 'faults'}` : ''}`;
}

function describeIssue(issue: z.core.$ZodIssue, line: unknown): string {
  const pointer = pointerTo(issue.path);
  const found = valueAt(line, issue.path);
  if (issue.code === 'unrecognized_keys') {
    return `${pointerTo([...issue.path, issue.keys[0]!])}: there is no such field`;
  }
  const place = pointer === '' ? '' : `${pointer}: `;
  return `${place}expected ${wantedBy(issue)}, found ${shown(found, issue)}`;
}

function wantedBy(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return names[issue.expected] ?? issue.expected;
    case 'invalid_value':
      return joinChoices(issue.values.map((value) => JSON.stringify(value)));
    case 'invalid_union':
      return joinChoices(lineKinds.map((kind) => JSON.stringify(kind)));
    case 'too_small':
      return issue.origin === 'string' ? `at least ${issue.minimum} character` : `${issue.minimum} or more`;
    default:
      return names.int!;
  }
}

const names: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
};

const joinChoices = (values: readonly string[]): string => values.join(', ').replace(/, ([^,]*)$/, ' or $1');

/** The kind of what is there. Its value only where one of a few words was wanted: content does not belong in a log. */
function shown(value: unknown, { code }: z.core.$ZodIssue): string {
  const isWord = code === 'invalid_value' || code === 'invalid_union';
  if (typeof value === 'string')
    return isWord ? truncate(oneLine(JSON.stringify(value)), shownMax) : describeText(value);
  if (typeof value === 'number') return String(value);
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  return typeof value === 'object' && Array.isArray(value) ? 'a list' : names[typeof value]!;
}

const describeText = (value: string) => (value === '' ? 'an empty text' : 'a text');

/** RFC 6901. A key may be anything: it is cut, and made fit for one line. */
function pointerTo(path: readonly PropertyKey[]): string {
  const keys = path.map((key) => `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`);
  return truncate(oneLine(keys.join('')), 2 * shownMax);
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (inner, key) =>
      typeof inner === 'object' && inner !== null && Object.hasOwn(inner, key)
        ? inner[key as keyof typeof inner]
        : undefined,
    value,
  );
}

export const isHeader = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'chatferry';

/**
 * @throws SourceError if its version is one that Chatferry cannot read, or it has values that no header can have: the
 *   meaning of the next lines is unknown.
 */
export function readHeader(value: unknown, location: Location): Header {
  const parsed = headerSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new SourceError(`Cannot read the header: ${describeFault(parsed.error.issues, value)}`, {
    location,
    hint: `This program reads version ${formatVersion} of the format; ${docsLink('reference/sources/chatferry')} has every field`,
  });
}
