import { UsageError } from '../../lib/errors.ts';
import { keyPath, parseValue, type Settings, settingText, valueAt } from '../../lib/settings.ts';
import { questionDecision } from '../../decisions/question.ts';
import { tableSetting } from '../../decisions/value-table.ts';
import type { Card } from '../shapes.ts';
import { plainCard } from './cards.ts';
import type { Setting } from './previews.ts';
import { asTableName, isRole } from './schema.ts';

const roleOf = (key: string): string | undefined => /^source\.tables\.(\w+)$/.exec(key)?.[1];

/** The question for the table of a role, which the owner may answer without being asked; undefined for any other card. */
export function roleCard(id: string): Card | undefined {
  const role = roleOf(id);
  if (role === undefined || !(isRole(role) || role === 'ignored')) return undefined;
  const key = `tables.${role}`;
  const question = { key, because: '', rows: undefined, choices: undefined, readings: [], instead: [] };
  return plainCard(questionDecision(question));
}

interface KnownTables {
  readonly names: ReadonlySet<string>;
  readonly isOfFiles: boolean;
}

/**
 * Returns the settings of an answer with what goes with another table of a role: its columns are chosen again, and the table has no other
 * role any more. @throws UsageError for a table that there is not
 */
export function withRoles(
  sets: readonly Setting[],
  rules: Settings,
  { names, isOfFiles }: KnownTables,
): readonly Setting[] {
  const { source = {} } = rules as { readonly source?: Settings };
  const said = (source.tables ?? {}) as Settings;
  const ignored = [said.ignored ?? []].flat().map(String);
  return sets.flatMap((set): readonly Setting[] => {
    const role = roleOf(set.key);
    const value = parseValue(set.value);
    const name = asTableName(value);
    if (role === undefined || name === undefined) return [set];
    const isNamed = typeof value === 'string' && value !== 'none';
    if (isNamed && !names.has(value)) throw new UsageError(`There is no table "${value}"`);
    const before = Object.entries(said).filter(([other, one]) => other !== role && asTableName(one) === name);
    const changed = role !== 'ignored' && said[role] !== undefined && asTableName(said[role]) !== name;
    const again = [...before.flatMap(([other]) => [`source.tables.${other}`, `source.${other}`])];
    if (changed) again.push(`source.${role}`);
    const others = ignored.filter((one) => one !== name);
    const list = (all: readonly string[]) => ({ key: 'source.tables.ignored', value: settingText(all) });
    return [
      role === 'ignored'
        ? list([...others, name])
        : { ...set, value: isNamed ? settingText(tableSetting(name, isOfFiles)) : set.value },
      ...(role !== 'ignored' && others.length < ignored.length ? [list(others)] : []),
      ...again.filter((key) => valueAt(rules, keyPath(key)) !== undefined).map((key) => ({ key, value: '?' })),
    ];
  });
}
