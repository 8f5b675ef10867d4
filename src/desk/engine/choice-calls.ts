import { existsSync, readFileSync } from 'node:fs';
import { keyPath, parseValue, type Settings, settingText, valueAt, withValue } from '../../lib/settings.ts';
import { loadMediaRules, parseRules, undecidedMark } from '../../mapping/load.ts';
import { type Choice, choices } from '../choices.ts';
import { defaultRules, type Rules } from '../../mapping/rules.ts';
import type { ChoiceRow } from '../shapes.ts';
import type { CallContext } from './call-context.ts';
import { type PeopleFacts, writeSettings } from './people-calls.ts';

const all: readonly Choice[] = Object.values(choices).flat();

export const findChoice = (key: string): Choice | undefined => all.find((choice) => choice.key === key);

export interface ConversationRules extends Pick<Rules['conversations'], 'exclude' | 'rename' | 'types' | 'owners'> {
  /** As the mapping says it; empty if all are moved. */
  readonly olderThan: string;
}

/** Fields that are absent stay as they are; an empty text is taken out. */
export interface ConversationChange {
  readonly id: string;
  /** In place of the list. */
  readonly exclude?: readonly string[] | undefined;
  readonly rename?: string | undefined;
  readonly access?: 'private' | 'public' | '' | undefined;
  readonly owner?: string | undefined;
}

export const choiceCalls = {
  /** Rules of the mapping about single conversations, and how far back. @throws UsageError */
  async conversationRules({ mapping }: { readonly mapping: string }): Promise<ConversationRules> {
    const { conversations, messages } = readRules(mapping);
    return { ...conversations, olderThan: messages.olderThan === 'none' ? '' : messages.olderThan };
  },

  /** Writes it into the mapping. @throws UsageError */
  async setConversations(
    { facts, change }: { readonly facts: PeopleFacts; readonly change: ConversationChange },
    context: CallContext,
  ): Promise<void> {
    const { id, exclude, rename, access, owner } = change;
    const settings = {
      ...(exclude !== undefined && { exclude }),
      ...(rename !== undefined && { rename: { [id]: rename || undecidedMark } }),
      ...(access !== undefined && { types: { [id]: access || undecidedMark } }),
      ...(owner !== undefined && { owners: { [id]: owner || undecidedMark } }),
    };
    await writeSettings(facts, { conversations: settings }, context);
  },

  /** Choices that the mapping makes, apart from defaults. @throws UsageError */
  async choices({ mapping }: { readonly mapping: string }): Promise<readonly ChoiceRow[]> {
    if (!existsSync(mapping)) return [];
    const rules = { ...readRules(mapping), media: await loadMediaRules(mapping) };
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

const readRules = (mapping: string): Rules =>
  existsSync(mapping) ? parseRules(readFileSync(mapping, 'utf8'), mapping) : defaultRules();

const shownValue = (value: unknown): string => {
  if (Array.isArray(value)) return value.join('\n');
  return value === undefined ? '' : settingText(value);
};

function toSetting(value: string, isList: boolean): Settings[string] {
  const text = value.trim();
  if (text === '') return undecidedMark;
  if (!isList) return parseValue(text);
  return text
    .split('\n')
    .map((one) => one.trim())
    .filter((one) => one !== '');
}
