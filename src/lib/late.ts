import { once } from './once.ts';
import { requireEntry } from './package-files.ts';

/**
 * A package that most commands do without, loaded at the first call, also in the middle of what is not asynchronous: together they are a quarter
 * of what a start would read.
 */
const late = <Package>(name: string): (() => Package) => once(() => requireEntry(`lib/late/${name}`) as Package);

export const yaml = late<typeof import('./late/yaml.ts')>('yaml');
export const letters = late<typeof import('./late/letters.ts')>('letters');

/** Modules of Node that take 8 to 23 ms to load, a tenth to a quarter of the start of Node itself. */
export const crypto = once(() => process.getBuiltinModule('node:crypto'));
export const net = once(() => process.getBuiltinModule('node:net'));
export const threads = once(() => process.getBuiltinModule('node:worker_threads'));
export const zlib = once(() => process.getBuiltinModule('node:zlib'));
