import type { AdoptingMessage } from '../../checkpoint/repair/adopted-rows.ts';
import { type PayloadView, payloadOf } from '../../mapping/message/change-kind.ts';
import type { UnknownThere } from '../../checkpoint/repair/unknown-there.ts';
import type { NotedVersion } from '../../plan/drift/drift-notes.ts';
import { unknownDigest } from '../../checkpoint/staging/drift-rows.ts';

/** As a follow-up begins, before the text that it repeats. */
const announcement = /^(?:Edited|Changed|Restored at the source) \(message of [^)]*\): /;

/**
 * The version of a message that a destination was told of last, as far as it shows: the message as it was sent, with the
 * text of its latest follow-up where that has one.
 *
 * @param sent Payload as it stands there, JSON; the staged one where it is null.
 */
export function toldVersion(
  { seq, editedAtMs, payload }: AdoptingMessage,
  sent: string | null,
  { payload: followUp, change }: UnknownThere,
): NotedVersion {
  const { text, metadata } = payloadOf(followUp).data;
  const version = sent ?? payload;
  const repeated = announcement.exec(text)?.[0];
  return {
    ...{ seq, vanished: 0, edited_at: editedAtMs, record_digest: unknownDigest },
    facts: change === 'deleted' ? '{"deleted":1}' : null,
    payload:
      version === null || repeated === undefined ? version : edited(version, text.slice(repeated.length), metadata),
  };
}

/** With another text, and the time of edit that the follow-up names. */
function edited(
  payload: string,
  text: string,
  { chatferry: { edited } = {} }: PayloadView['data']['metadata'],
): string {
  const { data, ...rest } = payloadOf(payload);
  const chatferry = { ...data.metadata.chatferry, ...(edited !== undefined && { edited }) };
  return JSON.stringify({ ...rest, data: { ...data, text, metadata: { ...data.metadata, chatferry } } });
}
