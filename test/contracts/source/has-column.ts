import type { SourceAdapter } from '../../../src/sources/source.ts';
import { isTableSource } from '../../../src/sources/table-source.ts';

/** Whether a source has a column in `docs/understand/fidelity/`: one whose format has features of its own. Tables have none, and who carries others' has theirs. */
export const hasColumn = (adapter: SourceAdapter): boolean => !isTableSource(adapter) && !adapter.carriesOthers;
