import { writeFileSync } from 'node:fs';
import { renderOptions } from '../src/cli/options/options-page.ts';

/** Writes docs/reference/options.md from the commands and the schema of their options. */
writeFileSync(new URL('../docs/reference/options.md', import.meta.url), await renderOptions());
