/** The CPU time of opening an export and finding its source, in ms: `node bench/detect.ts EXPORT`. */
import { openExport } from '../src/io/input/open-export.ts';
import { detectSource } from '../src/sources/detect.ts';

const [input] = await openExport([process.argv[2]!]);
const before = process.cpuUsage();
const [best] = await detectSource(input!);
const { user, system } = process.cpuUsage(before);
await input!.close();
console.log(JSON.stringify({ source: best?.adapter.name, cpuMs: (user + system) / 1000 }));
