import type { CellText, DatabaseColumn } from '../database.ts';
import { type CellShape, chooseShape } from './cells.ts';
import type { Answer } from './session.ts';

export interface MysqlColumn extends DatabaseColumn {
  readonly shape: CellShape;
  /** As the information schema calls it: `varchar`. */
  readonly dataType: string;
  /** Character set of texts. */
  readonly characterSet: CellText;
  readonly collation: CellText;
}

/** @param row Of `columnsSql`. */
export function readColumn([, name, type, declared, characterSet, collation, comment]: Answer[number]): MysqlColumn {
  const [dataType, inFull] = [type!.toLowerCase(), declared!.toLowerCase()];
  const isNumber = characterSet === null && dataType !== 'enum' && dataType !== 'set';
  return {
    name: name!,
    type: isNumber && / unsigned\b/.test(inFull) ? `${dataType} unsigned` : dataType,
    ...(dataType === 'enum' && { words: enumWords(declared!) }),
    ...(comment && { comment }),
    shape: chooseShape(dataType, isNumber && / zerofill\b/.test(inFull)),
    dataType,
    characterSet: characterSet ?? null,
    collation: collation ?? null,
  };
}

/** Returns the words of `enum('open','it''s','two\\nlines')`. */
export const enumWords = (declared: string): readonly string[] =>
  [...declared.matchAll(/'((?:[^'\\]|''|\\.)*)'/gs)].map(([, word]) =>
    word!.replaceAll(/''|\\(.)/gs, (_, letter?: string) => (letter === undefined ? "'" : (escapes[letter] ?? letter))),
  );

const escapes: Readonly<Record<string, string>> = { n: '\n', r: '\r', 0: '\0' };
