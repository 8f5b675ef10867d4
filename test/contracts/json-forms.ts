/** White space between the tokens of a JSON text. */
export interface JsonForm {
  /** `8 blanks` */
  readonly name: string;
  /** Prints a file of one value. */
  whole(tokens: readonly string[]): string;
  /** Prints a line of a file that has a value on each. */
  line(tokens: readonly string[]): string;
}

const isOpening = (token: string | undefined): boolean => token === '{' || token === '[';
const isClosing = (token: string | undefined): boolean => token === '}' || token === ']';

function indented(tokens: readonly string[], indent: string, lineEnd: string): string {
  let depth = 0;
  let text = '';
  for (const [at, token] of tokens.entries()) {
    const before = tokens[at - 1];
    if (isClosing(token)) depth -= 1;
    const isBreak = isOpening(before) ? !isClosing(token) : isClosing(token) || before === ',';
    if (isBreak) text += lineEnd + indent.repeat(depth);
    else if (before === ':') text += ' ';
    text += token;
    if (isOpening(token)) depth += 1;
  }
  return text + lineEnd;
}

const form = (name: string, indent: string, between: string, lineEnd = '\n'): JsonForm => ({
  name,
  whole: (tokens) => indented(tokens, indent, lineEnd),
  line: (tokens) => between + tokens.join(between) + between + lineEnd,
});

const blanks = (count: number): JsonForm => form(`${count} blanks`, ' '.repeat(count), ' '.repeat(count));

const wide = ' '.repeat(300);

/** The ways in which programs print JSON, and one in which none does. */
export const jsonForms: readonly JsonForm[] = [
  {
    name: 'no blanks',
    whole: (tokens) => tokens.join(''),
    line: (tokens) => `${tokens.join('')}\n`,
  },
  blanks(1),
  blanks(2),
  blanks(4),
  blanks(8),
  blanks(40),
  form('tabs', '\t', '\t'),
  form('CRLF', '  ', ' ', '\r\n'),
  {
    name: 'blanks around every token, and blank lines',
    whole: (tokens) => ` \n\n ${tokens.join(wide)} \n\n`,
    line: (tokens) => `\n   ${tokens.join(wide)}\t \n \n`,
  },
];

/**
 * The same file, printed in a form.
 *
 * @returns undefined if the text is neither a value of JSON nor a value on each line.
 */
export function reprinted(path: string, text: string, { whole, line }: JsonForm): string | undefined {
  if (!/^\ufeff?\s*[[{]/.test(text)) return undefined;
  if (isJson(text) && !/\.(?:ndjson|jsonl)$/i.test(path)) return whole(tokensIn(text));
  const lines = text.split('\n').filter((one) => one.trim() !== '');
  return lines.every(isJson) ? lines.map((one) => line(tokensIn(one))).join('') : undefined;
}

const tokensIn = (text: string): string[] => text.match(/"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s\ufeff{}[\],:"]+/g) ?? [];

function isJson(text: string): boolean {
  try {
    JSON.parse(text.replace(/^\ufeff/, ''));
    return true;
  } catch {
    return false;
  }
}
