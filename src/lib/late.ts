import { once } from './once.ts';
import { requireEntry } from './package-files.ts';

/**
 * A package that most commands do without, loaded at the first call, also in the middle of what is not asynchronous: together they are a quarter
 * of what a start would read.
 */
const late = <Package>(name: string): (() => Package) => once(() => requireEntry(`lib/late/${name}`) as Package);

export const yaml = late<typeof import('./late/yaml.ts')>('yaml');
export const letters = late<typeof import('./late/letters.ts')>('letters');
