import { countOf } from '../../report/render/format.ts';
import type { ReadOutcome } from '../../service/client/answers/outcome.ts';
import type { MessagePage } from '../../service/client/answers/list-answer.ts';
import { keyOf } from '../../upload/read-back/compare.ts';
import { bad, type Finding, good, warn } from './finding.ts';
import { exitCodes } from '../../report/exit-codes.ts';

/** So many messages show enough of how a service lists them. */
export const lookedAt = 50;

/**
 * Whether what was sent can be recognised when it is listed: by its muid, else by the key in its metadata.
 *
 * @param isOurs The page is of a conversation into which the store has imported.
 */
export function judgeReadBack(outcome: ReadOutcome<MessagePage>, isOurs: boolean): Finding {
  if (outcome.kind === 'failed') {
    return bad(
      'read-back',
      `Messages cannot be listed: ${outcome.code}: ${outcome.detail}`,
      'Run it again when the service answers',
      exitCodes.stopped,
    );
  }
  const { messages } = outcome.value;
  const listed = `${countOf(messages.length, 'message')} listed`;
  if (messages.length === 0) {
    return isOurs
      ? warn(
          'read-back',
          'The store says that messages were imported, and their conversation lists none',
          'chatferry verify compares everything; was the destination emptied?',
        )
      : good('read-back', 'Nothing is listed yet, so it cannot be seen how messages are shown');
  }
  const withMuid = messages.filter(({ muid }) => muid !== undefined).length;
  if (withMuid > 0) return good('read-back', `Listings show muids (${withMuid} of ${listed})`);
  if (messages.some((message) => keyOf(message) !== undefined)) {
    return good(
      'read-back',
      `Listings show no muids; our messages are recognised by the key in their metadata (${listed})`,
    );
  }
  return warn(
    'read-back',
    `None of ${listed} shows a muid or our key`,
    isOurs
      ? 'Messages without an answer could not be found again: see that a mapping module keeps data.metadata.chatferry.key'
      : 'They may be of other programs: import one conversation (--only) and look again',
  );
}
