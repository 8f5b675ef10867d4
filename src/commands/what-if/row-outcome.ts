import { existsSync } from 'node:fs';
import type { StagedItem } from '../../checkpoint/staging.ts';
import { openStoreToRead } from '../../checkpoint/open.ts';
import type { Mapping } from '../../mapping/load-mapping.ts';
import type { UserRecord } from '../../model/records.ts';
import { EntryMapper } from '../../plan/entry-mapper.ts';
import { outcomeOfMessage } from '../../plan/outcome.ts';
import type { MessageLimits } from '../../service/profiles.ts';
import type { BeforeAfter } from '../before-after.ts';
import type { WhatIf } from './trial.ts';

/**
 * Whether a plan with a mapping sends a message, as far as the message alone decides: rules about its conversation, or about all messages
 * of the export, are not applied.
 *
 * @param storePath If there is a plan, its limits are those of the destination. @throws StoreError
 */
export function outcomeOfRow(
  { message: record, names }: Pick<BeforeAfter, 'message' | 'names'>,
  { mapping, storePath }: { readonly mapping: Mapping; readonly storePath: string | null },
): Pick<WhatIf, 'verdict' | 'reason'> {
  const limits = storePath === null || !existsSync(storePath) ? {} : limitsIn(storePath);
  const items: StagedItem[] = [];
  // Whose name is known was described by the export.
  const author: UserRecord | undefined =
    names.author === undefined ? undefined : { kind: 'user', id: record.author!, name: names.author };
  const storedPerson = (id: string) => (id === author?.id ? author : undefined);
  const options = { mapping, storedPerson, nowMs: record.sentAtMs, limits: {}, ...limits };
  const mapper = new EntryMapper(options, (item) => items.push(item));
  mapper.add({ type: 'record', record, location: { path: '' } });
  const { verdict, reason } = outcomeOfMessage(items, mapper);
  return { verdict, reason };
}

function limitsIn(path: string): { readonly limits: MessageLimits; readonly nowMs: number } | undefined {
  const store = openStoreToRead(path);
  try {
    const [limits, judgedAt] = [store.readMeta('limitsHash'), store.readMeta('judgedAt')];
    if (limits === undefined || judgedAt === undefined) return undefined;
    return { limits: JSON.parse(limits) as MessageLimits, nowMs: Number(judgedAt) };
  } finally {
    store.close();
  }
}
