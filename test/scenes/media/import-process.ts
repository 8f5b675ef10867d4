/**
 * An import in a process of its own, whose addresses lead to this machine: no command line can say that. Its only argument is a
 * `CarryTask` as JSON. Says `ready`, then works, and prints what it ended with as JSON.
 */
import { importExport } from '../../../src/commands/move.ts';
import { testAddresses, toThisMachine } from '../test-addresses.ts';

export interface CarryTask {
  readonly store: string;
  readonly from: string;
  readonly media: { readonly to: string; readonly endpoint?: string; readonly address?: string };
}

if (import.meta.main) {
  const { store, from, media } = JSON.parse(process.argv[2]!) as CarryTask;
  console.log('ready');
  const { exit, report } = await importExport({
    ...{ store, from, rule: testAddresses, resolve: toThisMachine },
    media: { ...media, missing: 'name' },
  });
  console.log(JSON.stringify({ exit, totals: report.totals, media: report.media, stopped: report.stopped }));
}
