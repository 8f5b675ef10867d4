import { readFileSync } from 'node:fs';
import { packageFile } from './package-files.ts';

export const version: string = (JSON.parse(readFileSync(packageFile('package.json'), 'utf8')) as { version: string })
  .version;
