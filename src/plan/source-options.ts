import { UsageError } from '../lib/errors.ts';
import type { Mapping } from '../mapping/rules/load-rules.ts';
import type { SourceAdapter } from '../sources/source.ts';

/** The mapping's `source:` section as the source takes it. @throws UsageError */
export function parseSourceOptions(adapter: SourceAdapter, mapping: Mapping): unknown {
  const parsed = adapter.options.safeParse(mapping.rules.source);
  if (parsed.success) return parsed.data;
  const faults = parsed.error.issues.map((issue) => `source.${issue.path.join('.')}: ${issue.message}`);
  throw new UsageError(`Cannot use the mapping for source "${adapter.name}": ${faults.join('; ')}`);
}
