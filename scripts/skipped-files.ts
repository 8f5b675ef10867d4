/** `node scripts/skipped-files.ts RESULTS`: the files of which a test was skipped, a line each. RESULTS is what Vitest's JSON reporter wrote. */
import { readFileSync } from 'node:fs';

interface Results {
  readonly testResults: readonly {
    readonly name: string;
    readonly assertionResults: readonly { readonly status: string }[];
  }[];
}

const { testResults } = JSON.parse(readFileSync(process.argv[2]!, 'utf8')) as Results;
for (const { name, assertionResults } of testResults)
  if (assertionResults.some(({ status }) => status !== 'passed')) console.log(name.replace(/^.*?\/(?=test\/)/, ''));
