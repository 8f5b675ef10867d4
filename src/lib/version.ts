import { readFileSync } from 'node:fs';

/** Version of the package: beside `src` in a checkout, beside `dist` where it is installed. */
export const version: string = (
  JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { version: string }
).version;
