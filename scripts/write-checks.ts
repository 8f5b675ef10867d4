import { writeFileSync } from 'node:fs';
import { renderChecks } from '../src/cli/prepare/checks.ts';

/** Writes docs/checks.md from the registry of checks. */
writeFileSync(new URL('../docs/checks.md', import.meta.url), renderChecks());
