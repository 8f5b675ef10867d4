import { readFileSync } from 'node:fs';
import { UsageError } from '../../lib/errors.ts';
import { type FaultPlan, faultPlan } from '../../sandbox/faults/plan.ts';
import { describeIssues } from '../../service/client/describe-issues.ts';

const hint = 'docs/sandbox.md describes what can be broken';

/**
 * The plan of faults that `--faults` names.
 *
 * @param given JSON where it begins with a brace, else the path of a JSON file.
 * @throws UsageError that names every place that is wrong.
 */
export function readFaultPlan(given: string): FaultPlan {
  const isInline = given.trimStart().startsWith('{');
  const where = isInline ? '--faults' : `--faults "${given}"`;
  const json = parse(isInline ? given : readText(given), where);
  const { data, error } = faultPlan.safeParse(json);
  if (data) return data;
  const findings = describeIssues(error.issues, json).map(
    ({ pointer, sentence }) => `  ${pointer || '/'}: ${sentence}`,
  );
  throw new UsageError(`Cannot use ${where}:\n${findings.join('\n')}`, { hint });
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    throw new UsageError(`Cannot read --faults "${path}": ${(cause as Error).message}`, {
      hint: 'Pass the path of a JSON file, or the JSON itself',
      cause,
    });
  }
}

function parse(text: string, where: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new UsageError(`Cannot use ${where}: expected JSON: ${(cause as Error).message}`, { hint, cause });
  }
}
