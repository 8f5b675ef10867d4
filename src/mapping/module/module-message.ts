import { type MessageRecord, messageSchema } from '../../model/records.ts';
import { type Draft, draftMessage } from '../message/draft-message.ts';
import type { Facts } from '../message/facts.ts';
import { type Finished, finishMessage } from '../message/finish-message.ts';
import type { MessageContext } from '../message/message-context.ts';
import { verdictByRule } from '../rules/message-rules.ts';
import { metadataSchema } from '../message/metadata.ts';
import {
  checkedRecord,
  type MappingModule,
  type MessageResult,
  messageResultSchema,
  type Payload,
  runStep,
} from './module.ts';

/** The module's step in the place of ours; the destination's limits and checks come behind it. */
export function mapMessageByModule(
  record: MessageRecord,
  names: { readonly muid: string; readonly rootMuid: string | undefined },
  step: NonNullable<MappingModule['mapMessage']>,
  context: MessageContext,
): Finished {
  let done: Facts | undefined;
  const next = (given: MessageRecord): MessageResult => {
    const changed = checkedRecord(
      given,
      messageSchema,
      ({ origin }) => JSON.stringify(origin),
      JSON.stringify(record.origin),
    );
    const rule = verdictByRule(changed, context);
    if (rule?.verdict === 'skipped') return { skip: rule.reason };
    if (rule?.verdict === 'rejected') return { reject: rule.detail, code: rule.reason };
    const draft = draftMessage(changed, names, context);
    done = draft.done;
    return payloadOf(draft);
  };
  const call = () => step(record, { rules: context.rules, uidOf: context.uidOf, next });
  const { result, fault } = runStep('mapMessage', call, messageResultSchema);
  if (fault !== undefined) return { verdict: 'rejected', reason: 'module-failed', detail: fault };
  if ('skip' in result) return { verdict: 'skipped', reason: result.skip };
  if ('reject' in result)
    return { verdict: 'rejected', reason: result.code ?? 'rejected-by-module', detail: result.reject };
  const drafted = draftOf(result, names.muid);
  if (typeof drafted === 'string') return { verdict: 'rejected', reason: 'module-failed', detail: drafted };
  return finishMessage({ ...drafted, done }, record.sentAtMs, context);
}

/** A draft as a module sees it: in the service's own shape. */
function payloadOf({ category, type, text, attachments, metadata, constants, more, tags }: Draft): Payload {
  return {
    category,
    type,
    data: {
      text,
      ...(attachments.length > 0 && { attachments: [...attachments] }),
      ...more,
      metadata: { chatferry: metadata, ...constants } as NonNullable<Payload['data']['metadata']>,
    },
    tags: [...tags],
  };
}

/** The payload of a module as a draft; words where its `chatferry` is not ours. */
function draftOf({ category, type, data, tags = [] }: Payload, muid: string): Draft | string {
  const { text = '', attachments = [], metadata = {}, ...more } = data;
  const { chatferry = { v: 1, key: muid }, ...constants } = metadata;
  const ours = metadataSchema.safeParse(chatferry);
  if (!ours.success) return 'mapMessage answered a data.metadata.chatferry that its schema does not allow';
  if (ours.data.key !== muid) return `mapMessage answered another key in data.metadata.chatferry: expected ${muid}`;
  return { category, type, text, attachments, metadata: ours.data, constants, more, tags };
}
