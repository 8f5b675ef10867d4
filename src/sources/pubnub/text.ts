/** Text of the Chat SDK: `Hi [Bo](pn-user://bo), see [harbour](pn-channel://h1)`. */
const link = /\[((?:[^\][\\]|\\.){1,200})\]\(pn-(user|channel):\/\/((?:[^()\\\s]|\\.){1,200})\)/g;

/** The text with people as `@Bo` and channels as `#harbour`, and the ids of the people. */
export function textWithMentions(text: string): { readonly text: string; readonly mentions: readonly string[] } {
  if (!text.includes('](pn-')) return { text, mentions: [] };
  const mentions: string[] = [];
  const shown = text.replace(link, (_, name: string, kind: string, target: string) => {
    if (kind === 'user') mentions.push(unescaped(target));
    return `${kind === 'user' ? '@' : '#'}${unescaped(name).replace(/^[@#]/, '')}`;
  });
  return { text: shown, mentions };
}

const unescaped = (text: string): string => text.replace(/\\(.)/g, '$1');
