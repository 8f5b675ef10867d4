import type { Attachment } from '../../model/records.ts';

/** Words that the app writes in place of something else. They are exact: whoever types more wrote a message. */

const files: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/^(?:사진|Photo)$/, 'photo'],
  [/^(?:사진 (\d{1,2})장|(\d{1,2}) Photos)$/, 'photo'],
  [/^(?:동영상|Video)$/, 'video'],
  [/^(?:이모티콘|Emoticons?)$/, 'emoticon'],
  [/^(?:음성메시지|Voice Message)$/, 'voice message'],
  [/^(?:파일|File): (.+)$/, 'file'],
];

/** Files whose words a message is; none for a text. No export has the files themselves. */
export function filesIn(text: string): readonly Attachment[] {
  for (const [pattern, name] of files) {
    const found = pattern.exec(text);
    if (!found) continue;
    if (name === 'file') return [{ name: found[1]!, unavailable: 'not-in-export' }];
    const count = Math.max(Number(found[1] ?? found[2] ?? 1), 1);
    return Array.from({ length: count }, () => ({ name, unavailable: 'not-in-export' }));
  }
  return [];
}

export const isDeleted = (text: string): boolean => /^(?:삭제된 메시지입니다|메시지가 삭제되었습니다)\.$/.test(text);

/** Words behind who came in: a notice of open chats. */
const notice = '운영정책을 위반한 메시지로 신고 접수 시 카카오톡 이용에 제한이 있을 수 있습니다\\.';

/**
 * Lines of the app, by event, as projects that read such files list them: https://github.com/uoneway/kakaotalk_msg_preprocessor and
 * others (looked at 2026-11).
 */
const events: readonly (readonly [pattern: RegExp, event: string])[] = [
  [
    /^.{1,200}님이 .{1,2000}(?:님을|님과 .{1,2000}을) 초대(?:했|하였)습니다\.?$|^.{1,200} invited .{1,2000}\.$/s,
    'member-invited',
  ],
  [
    new RegExp(`^.{1,200}님이 들어왔습니다\\.?(?:${notice})?$|^.{1,200} joined this chatroom\\.$`, 's'),
    'member-joined',
  ],
  [/^.{1,200}님이 나갔습니다\.?$|^.{1,200} left this chatroom\.$/s, 'member-left'],
  [/^.{1,200}님을 내보냈습니다\.?$|^.{1,200} has been removed from this chatroom\.$/s, 'member-removed'],
  [
    /^(?:채팅방 )?관리자가 메시지를 가렸습니다\.$|^This message has been hidden by the chatroom managers\.$/,
    'message-hidden',
  ],
  [
    /^.{1,200}님이 (?:방장으로 지정|부방장이 되|부방장에서 해제)(?:되)?었습니다\.?$|^방장이 .{1,200}님에서 .{1,200}님으로 변경되었습니다\.$|^.{1,200} has been assigned as the admin\.$|^The host has been reassigned.{0,200}$/s,
    'admin',
  ],
  [new RegExp(`^${notice}$`), 'info'],
];

/** @returns the name of the event; undefined for any other line. */
export const eventIn = (line: string): string | undefined => events.find(([pattern]) => pattern.test(line))?.[1];

/** A line of the app is no longer. */
const eventLengthMax = 500;

export const isEventLine = (line: string): boolean => line.length <= eventLengthMax && eventIn(line) !== undefined;

/** Lines about what was done to another person, or to a message of one: a table has them in the name of who did it. */
export const isDoneToOthers = (line: string): boolean =>
  /^(?:member-removed|message-hidden|admin)$/.test(eventIn(line) ?? '');

/** Whether a line is one of the app, whose verb is in its beginning: a message with these words has them behind the name. */
export const isEventOf = (beginning: string, line: string): boolean =>
  /님이 | invited | joined this | left this | has been removed | has been assigned /.test(`${beginning} `) &&
  eventIn(line) !== undefined;
