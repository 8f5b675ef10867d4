import { readFile } from 'node:fs/promises';
import { LineCounter, parseDocument } from 'yaml';
import { UsageError } from '../lib/errors.ts';
import { sha256Hex } from '../lib/hash.ts';
import { defaultRules, type Rules, rulesSchema } from './rules.ts';
import { templateFields } from './template.ts';

/** A mapping as it is used: the rules, and a hash that changes exactly when they do. */
export interface Mapping {
  readonly rules: Rules;
  readonly hash: string;
}

/** @throws UsageError naming file, line and column. Without a path: the defaults. */
export async function loadMapping(path: string | undefined): Promise<Mapping> {
  if (path === undefined) return mappingOf(defaultRules);
  const text = await readFile(path, 'utf8').catch((cause: NodeJS.ErrnoException) => {
    throw new UsageError(`Cannot read the mapping "${path}": ${cause.code ?? cause.message}`, {
      hint: 'Pass --mapping with the path of a mapping file, or leave it out for the defaults',
      cause,
    });
  });
  return mappingOf(parseRules(text, path));
}

const mappingOf = (rules: Rules): Mapping => ({ rules, hash: sha256Hex(JSON.stringify(rules)).slice(0, 16) });

/** @param path For messages. */
export function parseRules(text: string, path: string): Rules {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines });
  const place = (offset: number) => {
    const { line, col } = lines.linePos(offset);
    return `${path}:${line}:${col}`;
  };
  const syntax = document.errors[0];
  if (syntax) throw new UsageError(`Cannot read the mapping at ${place(syntax.pos[0])}: ${syntax.message.split('\n')[0]}`);

  const parsed = rulesSchema.safeParse(document.toJS() ?? {});
  if (parsed.success) {
    checkTemplate(parsed.data.people.uid, ['id', 'handle', 'name', 'email'], `${path}: people.uid`);
    checkTemplate(parsed.data.conversations.guid, ['id', 'name', 'type'], `${path}: conversations.guid`);
    return parsed.data;
  }
  const faults = parsed.error.issues.map((issue) => {
    const key = issue.code === 'unrecognized_keys' ? issue.keys[0] : undefined;
    const at = key === undefined ? issue.path : [...issue.path, key];
    return `${place(offsetOf(document, at))}: ${at.join('.') || 'the mapping'}: ${issue.message}`;
  });
  throw new UsageError(`Cannot use the mapping: ${faults.join('; ')}`, {
    hint: 'docs/mapping.md explains every key',
  });
}

/** Where the value at a path starts; where the path does not exist, its nearest ancestor. */
function offsetOf(document: ReturnType<typeof parseDocument>, path: readonly PropertyKey[]): number {
  for (let depth = path.length; depth > 0; depth--) {
    const at = path.slice(0, depth).map((part) => (typeof part === 'symbol' ? String(part) : part));
    const node = document.getIn(at, true) as { range?: [number, number, number] | null } | undefined;
    if (node && typeof node === 'object' && node.range) return node.range[0];
  }
  return 0;
}

function checkTemplate(template: string, known: readonly string[], place: string): void {
  const unknown = templateFields(template).find((field) => !known.includes(field));
  if (unknown === undefined) return;
  throw new UsageError(`Cannot use the mapping: ${place}: the field {${unknown}} does not exist`, {
    hint: `Fields here: ${known.map((field) => `{${field}}`).join(', ')}`,
  });
}
