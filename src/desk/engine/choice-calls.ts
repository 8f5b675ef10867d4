import { existsSync, readFileSync } from 'node:fs';
import { keyPath, parseValue, type Settings, settingText, valueAt, withValue } from '../../lib/settings.ts';
import { loadMediaRules, parseRules, undecidedMark } from '../../mapping/load.ts';
import { type Choice, choices } from '../choices.ts';
import type { ChoiceRow } from '../shapes.ts';
import type { CallContext } from './call-context.ts';
import { type PeopleFacts, writeSettings } from './people-calls.ts';

const all: readonly Choice[] = Object.values(choices).flat();

export const findChoice = (key: string): Choice | undefined => all.find((choice) => choice.key === key);

export const choiceCalls = {
  /** Choices that the mapping makes, apart from defaults. @throws UsageError */
  async choices({ mapping }: { readonly mapping: string }): Promise<readonly ChoiceRow[]> {
    if (!existsSync(mapping)) return [];
    const rules = { ...parseRules(readFileSync(mapping, 'utf8'), mapping), media: await loadMediaRules(mapping) };
    return all.flatMap((choice) => {
      const value = shownValue(valueAt(rules, keyPath(choice.key)));
      return value === '' || value === Object.keys(choice.says ?? {})[0] ? [] : [{ key: choice.key, value }];
    });
  },

  /** Writes one into the mapping; an empty value is taken out. @throws UsageError */
  async choose(
    { facts, key, value }: { readonly facts: PeopleFacts; readonly key: string; readonly value: string },
    context: CallContext,
  ): Promise<void> {
    const { isList = false } = findChoice(key)!;
    await writeSettings(facts, withValue({}, keyPath(key), toSetting(value, isList)), context);
  },
};

const shownValue = (value: unknown): string => {
  if (Array.isArray(value)) return value.join(', ');
  return value === undefined ? '' : settingText(value);
};

function toSetting(value: string, isList: boolean): Settings[string] {
  const text = value.trim();
  if (text === '') return undecidedMark;
  if (!isList) return parseValue(text);
  return text
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '');
}
