import { writeFileSync } from 'node:fs';
import { renderChecks } from '../src/cli/prepare/checks.ts';

/** Writes docs/reference/checks.md from the registry of checks. */
writeFileSync(new URL('../docs/reference/checks.md', import.meta.url), renderChecks());
