import { warmUp } from './plan/reading/reading-worker.ts';

// Before anything else, so that both load side by side.
warmUp(process.argv.slice(2));
const [{ main }, { processHost }] = await Promise.all([import('./cli/main.ts'), import('./cli/host.ts')]);
await main(process.argv, processHost());
