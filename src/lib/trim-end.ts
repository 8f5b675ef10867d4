/** The text without this character at its end, however often it stands there. In linear time, unlike `/x+$/`. */
export function trimEnd(text: string, character: string): string {
  let end = text.length;
  while (end > 0 && text[end - 1] === character) end--;
  return text.slice(0, end);
}
