import { warmUp } from './plan/reading/reading-worker.ts';

// Before anything else, so that both load side by side.
warmUp(process.argv.slice(2));
const { main } = await import('./cli/main.ts');
await main(process.argv);
