/** Settings that the three tiers of tests share: `npm test`, `npm run proofs`, `npm run nightly`. */

/** Results as JSON go to this file if it is named: `.ci/run` adds them up. */
const resultsPath = process.env.CHATFERRY_TEST_RESULTS;

export const sharedSettings = (tier?: 'proofs' | 'nightly') => ({
  setupFiles: ['test/set-up.ts'],
  env: tier ? { CHATFERRY_TEST_TIER: tier } : {},
  // Files share their process, which loads each module once. That halves the time; set-up.ts ends what files must not share.
  isolate: false,
  // Node loads the source itself, as users' processes do: nothing is transformed. The tests mock no modules, which would need a loader.
  experimental: { viteModuleRunner: false, nodeLoader: false },
  // Files leave much behind at their end: in a larger place for new objects it is collected with less work.
  execArgv: ['--max-semi-space-size=64'],
  // A second, the default, is short on a busy machine.
  expect: { poll: { timeout: 60_000 } },
  reporters: [
    'default' as const,
    ...(resultsPath ? [['json', { outputFile: resultsPath }] as [string, Record<string, unknown>]] : []),
  ],
});
