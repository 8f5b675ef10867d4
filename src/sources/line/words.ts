import type { Attachment } from '../../model/records.ts';

/** Words that the app writes in place of something else. They are exact: whoever types more wrote a message. */

const files: Readonly<Record<string, string>> = {
  photo: 'Photo Photos Image 写真 画像 照片 圖片 รูป ภาพ 사진',
  video: 'Video 動画 影片 วิดีโอ 동영상',
  sticker: 'Sticker スタンプ 貼圖 สติกเกอร์ 스티커',
  'voice message': 'Voice_message Audio ボイスメッセージ 音声 語音訊息 ข้อความเสียง 음성메시지',
  file: 'File ファイル 檔案 ไฟล์ 파일',
  gif: 'GIF',
  contact: '連絡先',
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

/** A line of the app is no longer. */
const eventLengthMax = 2500;

/**
 * Lines of the app, by event: what is behind the name of who did it, and a part of it that every such line has. The words are those that
 * projects which read such files list, such as https://github.com/nakasyou/Patchouli (looked at 2026-11).
 */
const predicates: readonly (readonly [event: string, part: string, words: string])[] = [
  ['message-unsent', 'unsent a', 'unsent a (?:message|photo)\\.?'],
  ['message-unsent', '送信を取り消しました', 'メッセージの送信を取り消しました。?'],
  ['message-unsent', '已收回訊息', '已收回訊息。?'],
  ['message-unsent', 'ยกเลิกข้อความ', 'ยกเลิกข้อความ'],
  ['member-invited', 'invited', 'invited .{1,2000}'],
  ['member-invited', '招待しました', '[^が]{1,2000}を(?:グループに)?招待しました。?(?:招待中の友だちが.{1,40})?'],
  ['member-invited', '招待をキャンセルしました', '[^が]{1,2000}招待をキャンセルしました。?'],
  ['member-invited', '邀請', '邀請.{1,2000}加入(?:聊天|群組)。?'],
  ['member-joined', 'joined the', 'joined the (?:group|chat)\\.?'],
  ['member-joined', '参加しました', '(?:グループに|「.{1,30}」からトークに)?参加しました。?'],
  ['member-joined', '加入', '已?加入(?:聊天|群組)。?'],
  ['member-left', 'left the', 'left the (?:group|chat)\\.?'],
  ['member-left', '退', '(?:グループ(?:から|を))?退(?:出|会)しました。?'],
  ['member-left', '離開', '離開(?:聊天|群組)。?'],
  ['member-left', '已退出', '已退出群組。?'],
  ['member-left', 'ออกจากกลุ่ม', 'ออกจากกลุ่ม'],
  ['member-removed', 'グループから削除しました', '[^が]{1,200}をグループから削除しました。?'],
  ['member-removed', '已將', '已將.{1,200}(?:強制退出社群|退出群組)。?'],
  ['announcement', 'アナウンスしました', '(?:<u>)?アナウンスしました(?:</u>)?。?'],
  ['announcement', 'ประกาศ', 'เพิ่ม(?:<u>)?ประกาศ(?:</u>)?'],
  ['note', 'ノート', '(?:新しいノートを作成|ノートに投稿)しました。?'],
  ['note', 'เขียนโน้ตใหม่', 'เขียนโน้ตใหม่'],
  ['album', 'アルバムを作成しました', 'アルバムを作成しました。?'],
  ['call', '通話が', 'グループ(?:音声|ビデオ)?通話が(?:開始|終了)されました。?'],
  ['chat-changed', 'changed the chat', "changed the chat's (?:profile photo\\.|name to .{1,200})"],
  ['chat-changed', 'グループ名を', 'グループ名を[「『].{1,200}[」』]に変更しました。?'],
  ['chat-changed', '聊天室', '(?:變更了聊天室圖片|已將聊天室的人數上限設為\\d{1,6}人)。?'],
];

/** English and Thai have a space before them; a name in Japanese may have が behind it, and Chinese has nothing. */
const behindName = (words: string): string => (/^[a-z\u0e00-\u0e7f]/.test(words) ? ` ${words}` : ` ?(?:が ?)?${words}`);

const events = predicates.map(([event, part, words]) => ({
  event,
  part,
  whole: new RegExp(`^.{1,200}?${behindName(words)}$`),
  afterName: new RegExp(`^(?:が ?)?${words}$`),
}));

const mayBeEvent = (line: string, part: string): boolean => line.length <= eventLengthMax && line.includes(part);

/** One's own. */
const ownUnsent = /^メッセージの送信を取り消しました。?$/;

/** @returns the name of the event; undefined for any other line. */
export const eventIn = (line: string): string | undefined =>
  events.find(({ part, whole }) => mayBeEvent(line, part) && whole.test(line))?.event ??
  (ownUnsent.test(line) ? 'message-unsent' : undefined);

/** Whether these words make a line of the app of the name before them: `Ann invited Ben`, not `Ann I invited Ben`. */
export const isDoneBySubject = (words: string): boolean =>
  events.some(({ part, afterName }) => mayBeEvent(words, part) && afterName.test(words));
