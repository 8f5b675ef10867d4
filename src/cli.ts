import { processHost } from './cli/host.ts';
import { main } from './cli/main.ts';

await main(process.argv, processHost());
