import type { z } from 'zod';

type Issue = z.core.$ZodIssue;

/** An error in one part of a value. */
export interface Finding {
  /** JSON Pointer (RFC 6901): `/data/text`; empty for the value itself. */
  readonly pointer: string;
  /** Expected and actual value: `expected string, found 5`. */
  readonly sentence: string;
}

/** Zod's findings as places and sentences. @param value what was checked. */
export function describeIssues(issues: readonly Issue[], value: unknown): Finding[] {
  return issues.flatMap((issue) => describe(issue, value));
}

function describe(issue: Issue, value: unknown): Finding[] {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({ pointer: pointerOf([...issue.path, key]), sentence: 'there is no such field' }));
  }
  const branch = issue.code === 'invalid_union' ? closestBranch(issue.errors) : undefined;
  if (branch) {
    const inner = branch.map((one) => ({ ...one, path: [...issue.path, ...one.path] }));
    return describeIssues(inner, value);
  }
  return [{ pointer: pointerOf(issue.path), sentence: `${wantedBy(issue)}, found ${foundAt(issue.path, value)}` }];
}

/** Returns the alternative that the value was nearest to: the one whose error is deepest; undefined if it resembles none of them. */
function closestBranch(branches: readonly (readonly Issue[])[]): readonly Issue[] | undefined {
  const depthOf = (branch: readonly Issue[]) => Math.max(...branch.map(({ path }) => path.length));
  const deepest = branches.toSorted((one, other) => depthOf(other) - depthOf(one))[0];
  return deepest && depthOf(deepest) > 0 ? deepest : undefined;
}

function wantedBy(issue: Issue): string {
  if (issue.code === 'invalid_type') return `expected ${issue.expected}`;
  if (issue.code === 'invalid_value')
    return `expected ${issue.values.map((value) => JSON.stringify(value)).join(' or ')}`;
  return issue.message.replace(/^Invalid (?:input|option): /, '');
}

/** The value as JSON, shortened: it may be long. */
function foundAt(path: readonly PropertyKey[], value: unknown): string {
  let found = value;
  for (const key of path) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, key)) return 'nothing';
    found = (found as Readonly<Record<PropertyKey, unknown>>)[key];
  }
  const json = JSON.stringify(found) ?? 'nothing';
  return (json.length > 60 ? `${json.slice(0, 59)}…` : json).toWellFormed();
}

function pointerOf(path: readonly PropertyKey[]): string {
  return path.map((key) => `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}
