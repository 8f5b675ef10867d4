import type { MessageRecord } from '../../model/records.ts';
import { draftMessage } from './draft-message.ts';
import { type Finished, finishMessage } from './finish-message.ts';
import { type Identity, identityOf } from '../identity.ts';
import { withRewrittenUrls } from './map-attachments.ts';
import type { MessageContext } from './message-context.ts';
import { verdictByRule } from '../rules/message-rules.ts';
import { mapMessageByModule } from '../module/module-message.ts';
import type { MappingModule } from '../module/module.ts';

/** What became of a record, with the muids of it and of its thread's root. */
export type MappedMessage = { readonly muid: string; readonly rootMuid: string | undefined } & Finished;

/**
 * Maps a message by the rules of the mapping file, and by the module where there is one.
 *
 * @param identity Of the record, where it was worked out already.
 */
export function mapMessage(
  given: MessageRecord,
  context: MessageContext,
  module?: MappingModule,
  { muid, rootMuid }: Pick<Identity, 'muid' | 'rootMuid'> = identityOf(given),
): MappedMessage {
  const record = withRewrittenUrls(given, context.rules);
  const names = { muid, rootMuid };
  const finished = module?.mapMessage
    ? mapMessageByModule(record, names, module.mapMessage, context)
    : (verdictByRule(record, context) ?? finishMessage(draftMessage(record, names, context), record.sentAtMs, context));
  // Copying both, as `{ ...names, ...finished }` does, takes longer than everything else here.
  return Object.assign(finished, names);
}
