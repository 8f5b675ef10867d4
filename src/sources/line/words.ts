import type { Attachment } from '../../model/records.ts';

/** Words that the app writes in place of something else. They are exact: whoever types more wrote a message. */

const files: Readonly<Record<string, string>> = {
  photo: 'Photo Image 写真 照片 圖片 รูป ภาพ 사진',
  video: 'Video 動画 影片 วิดีโอ 동영상',
  sticker: 'Sticker スタンプ 貼圖 สติกเกอร์ 스티커',
  'voice message': 'Voice_message Audio ボイスメッセージ 音声 語音訊息 ข้อความเสียง 음성메시지',
  file: 'File ファイル 檔案 ไฟล์ 파일',
  gif: 'GIF',
};

const byWord: ReadonlyMap<string, string> = new Map(
  Object.entries(files).flatMap(([name, words]) =>
    words.split(' ').map((word) => [word.replaceAll('_', ' '), name] as const),
  ),
);

/**
 * Files whose word a message is; none for a text. No export has the files themselves.
 *
 * @param isBare The word may be without brackets, as the newest computers write it.
 */
export function filesIn(text: string, isBare: boolean): readonly Attachment[] {
  const inBrackets = /^\[([^[\]]{1,30})\]$/.exec(text)?.[1];
  const name = byWord.get(inBrackets ?? (isBare ? text : ''));
  return name === undefined ? [] : [{ name, unavailable: 'not-in-export' }];
}

/** A call that was, or was not answered. */
export const isCall = (text: string): boolean => /^☎ ?\S[^\n]{0,100}$/.test(text);

/** Emoji of the app, whose pictures are not in the text. */
export const emojiIn = (text: string): number => text.match(/\((?:emoji)\)/g)?.length ?? 0;

/** Lines of the app, by event. */
const events: readonly (readonly [pattern: RegExp, event: string])[] = [
  [
    /^(?:.{1,200} )?unsent a (?:message|photo)\.?$|^.{0,200}メッセージの送信を取り消しました。?$|^.{1,200}已收回訊息。?$/,
    'message-unsent',
  ],
  [/^.{1,200} invited .{1,2000}$|^.{1,200}が.{1,2000}を招待しました。?$/, 'member-invited'],
  [
    /^.{1,200} joined the (?:group|chat)\.?$|^.{1,200}が(?:グループに)?参加しました。?$|^.{1,200}加入(?:聊天|群組)。?$/,
    'member-joined',
  ],
  [
    /^.{1,200} left the (?:group|chat)\.?$|^.{1,200}が(?:グループ(?:から|を))?退(?:出|会)しました。?$|^.{1,200}離開(?:聊天|群組)。?$/,
    'member-left',
  ],
];

/** @returns the name of the event; undefined for any other line. */
export const eventIn = (line: string): string | undefined => events.find(([pattern]) => pattern.test(line))?.[1];

/** Whether these words make a line of the app of the name before them: `Ann invited Ben`, not `Ann I invited Ben`. */
export const isDoneBySubject = (words: string): boolean =>
  /^(?:unsent a (?:message|photo)|invited .{1,2000}|(?:joined|left) the (?:group|chat))\.?$|^(?:メッセージの送信を取り消しました|已收回訊息|(?:加入|離開)(?:聊天|群組))。?$/.test(
    words,
  );
