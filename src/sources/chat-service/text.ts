/** How the service writes a mention in a text; the public service documents it (mentions page, 2026-11). */
const mention = /<@uid:([^<>\s]{1,100})>/g;

export interface MentionedText {
  /** With `@Name` for each mention. */
  readonly text: string;
  /** Uids, each once, in order. */
  readonly mentions: readonly string[];
}

export function readMentions(text: string, nameOf: (uid: string) => string | undefined): MentionedText {
  if (!text.includes('<@uid:')) return { text, mentions: [] };
  const mentions = new Set<string>();
  const plain = text.replaceAll(mention, (_, spelled: string) => {
    const uid = spelled.toLowerCase();
    mentions.add(uid);
    return `@${nameOf(uid) ?? uid}`;
  });
  return { text: plain, mentions: [...mentions] };
}
