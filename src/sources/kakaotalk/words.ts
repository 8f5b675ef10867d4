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

export const isDeleted = (text: string): boolean => /^삭제된 메시지입니다\.$/.test(text);

/** Lines of the app about who is in the chat, by event. */
const events: readonly (readonly [pattern: RegExp, event: string])[] = [
  [
    /^.{1,200}님이 .{1,2000}(?:님을|님과 .{1,2000}을) 초대(?:했|하였)습니다\.?$|^.{1,200} invited .{1,2000}\.$/s,
    'member-invited',
  ],
  [/^.{1,200}님이 들어왔습니다\.?$|^.{1,200} joined this chatroom\.$/s, 'member-joined'],
  [/^.{1,200}님이 나갔습니다\.?$|^.{1,200} left this chatroom\.$/s, 'member-left'],
];

/** @returns the name of the event; undefined for any other line. */
export const eventIn = (line: string): string | undefined => events.find(([pattern]) => pattern.test(line))?.[1];

/** Whether a line is one of the app, whose verb is in its beginning: a message with these words has them behind the name. */
export const isEventOf = (beginning: string, line: string): boolean =>
  /님이 | invited | joined this | left this /.test(`${beginning} `) && eventIn(line) !== undefined;
