/** `node scripts/skipped-files.ts RESULTS`: the files with a test that was skipped, a line each. RESULTS is what Vitest's JSON reporter wrote. */
import { pathOf, readTestResults } from './test-results.ts';

const { testResults } = readTestResults(process.argv[2]!);
for (const { name, assertionResults } of testResults)
  if (assertionResults.some(({ status }) => status !== 'passed')) console.log(pathOf(name));
