import { asArray, asCount, asObject, asString, asStrings, asWord, describe, type Untrusted } from '../kit/narrow.ts';
import type { RowProblem } from '../kit/entries.ts';
import { makeCid, type Kind, msOf } from './format.ts';

/**
 * Stream's rules for imports, as far as they can be checked in the file: `pkg/cmd/chat/imports/validator` of stream-cli
 * at 4a4f627, and the schemas of v2 (looked at 2026-11). Only the first rule that an item breaks is reported. An item
 * that breaks a rule is read here all the same.
 *
 * Only the app knows whether a role or a type of channel exists.
 */
type Item = Untrusted<Record<string, unknown>>;
type Broken = RowProblem | undefined;

const problem = (code: string, reason: string): RowProblem => ({ code: `stream-rule-${code}`, reason });

const idBytesMax = 255;
const channelIdBytesMax = 64;
const reactionBytesMax = 30;
const attachmentsMax = 30;
/** Default of a type of channel, in characters. */
const textMax = 20_000;

const reserved: Readonly<Partial<Record<Kind, readonly string[]>>> = {
  user: ['app_pk', 'online', 'pk', 'user_pk', 'last_active'],
  channel: ['last_message_at', 'cid', 'created_by_pk', 'members', 'config', 'app_pk', 'pk'],
  message:
    'tmp_id app_pk latest_reactions own_reactions reactions_count reply_count command pk quoted_message pinned_by'.split(
      ' ',
    ),
  reaction: ['app_pk', 'pk', 'user', 'user_pk'],
};

const times: readonly string[] = [
  'created_at',
  'updated_at',
  'deleted_at',
  'deactivated_at',
  'pinned_at',
  'pin_expires',
  'last_read',
];

/**
 * @param isV2 Whether the item is in a line: v2 requires more.
 */
export function ruleBrokenBy(kind: Kind, item: Item, isV2: boolean): Broken {
  return (
    ownRules[kind]?.(item, isV2) ??
    first(reserved[kind] ?? [], (key) =>
      item[key] === undefined ? undefined : problem('reserved', `"${key}" is reserved`),
    ) ??
    first(times, (key) => timeRule(key, item[key]))
  );
}

const first = <T>(values: readonly T[], rule: (value: T) => Broken): Broken => {
  for (const value of values) {
    const broken = rule(value);
    if (broken) return broken;
  }
  return undefined;
};

function timeRule(key: string, value: unknown): Broken {
  if (value === undefined || value === null || msOf(value) !== undefined) return undefined;
  return problem('value', `expected "${key}" as RFC 3339, found ${describe(value)}`);
}

const missing = (item: Item, ...keys: readonly string[]): Broken =>
  first(keys, (key) =>
    asString(item[key]) === undefined
      ? problem('missing', `expected "${key}", found ${describe(item[key])}`)
      : undefined,
  );

function idRule(item: Item, key: string, bytesMax: number, letters?: RegExp): Broken {
  const id = asString(item[key]);
  if (id === undefined) return undefined;
  const bytes = Buffer.byteLength(id);
  if (bytes > bytesMax) return problem('id', `expected "${key}" of up to ${bytesMax} bytes, found ${bytes}`);
  return letters?.test(id) === false
    ? problem('id', `expected "${key}" of letters, digits and a few signs (${letters.source}), found ${describe(id)}`)
    : undefined;
}

/** A channel is named by its id, or by who is in it. */
function channelRule(item: Item, id: string, memberIds: string): Broken {
  const count = Number(asString(item[id]) !== undefined) + Number(asStrings(item[memberIds]).length > 0);
  const found = count === 0 ? 'neither' : 'both';
  return count === 1 ? undefined : problem('missing', `expected either "${id}" or "${memberIds}", found ${found}`);
}

function expectOneOf(item: Item, key: string, values: readonly string[]): Broken {
  const value = item[key];
  if (value === undefined || values.includes(value as string)) return undefined;
  return problem(
    'value',
    `expected "${key}" to be one of ${values.filter(Boolean).join(', ')}, found ${describe(value)}`,
  );
}

function messageRule(item: Item, isV2: boolean): Broken {
  return (
    (isV2 ? missing(item, 'id') : undefined) ??
    idRule(item, 'id', idBytesMax) ??
    missing(item, 'channel_type') ??
    channelRule(item, 'channel_id', 'channel_member_ids') ??
    missing(item, 'user') ??
    expectOneOf(item, 'type', ['regular', 'deleted', 'system', 'reply', ...(isV2 ? [''] : [])]) ??
    pairRules(item, isV2) ??
    first(asArray(item.attachments), (value) => attachmentRule(asObject<Item>(value) ?? {}, isV2)) ??
    (isV2 && asArray(item.attachments).length > attachmentsMax
      ? problem('value', `expected up to ${attachmentsMax} attachments, found ${asArray(item.attachments).length}`)
      : undefined)
  );
}

function pairRules(item: Item, isV2: boolean): Broken {
  const has = (key: string) => asString(item[key]) !== undefined;
  if ((item.type === 'deleted') !== has('deleted_at'))
    return problem('value', 'expected the type "deleted" and "deleted_at" together, found one of them');
  if (has('pinned_by_id') !== has('pinned_at'))
    return problem('value', 'expected "pinned_by_id" and "pinned_at" together, found one of them');
  if (has('pin_expires') && !has('pinned_at')) return problem('value', 'expected "pinned_at" with "pin_expires"');
  return isV2 && item.type === 'reply' ? missing(item, 'parent_id') : undefined;
}

function attachmentRule(attachment: Item, isV2: boolean): Broken {
  const keys = ['actions', 'fields'].filter((key) => attachment[key] !== undefined);
  return (
    missing(attachment, 'type') ??
    first(keys, (key) => problem('reserved', `"${key}" of an attachment is reserved`)) ??
    first(isV2 ? ['image_url', 'thumb_url', 'asset_url'] : [], (key) => {
      const url = asString(attachment[key]);
      return url === undefined || url.startsWith('https://')
        ? undefined
        : problem('value', `expected "${key}" with https`);
    })
  );
}

const ownRules: Readonly<Partial<Record<Kind, (item: Item, isV2: boolean) => Broken>>> = {
  user: (item) =>
    missing(item, 'id') ?? idRule(item, 'id', idBytesMax, /^[@\w-]*$/) ?? first(asArray(item.channel_mutes), muteRule),
  channel: (item) =>
    channelRule(item, 'id', 'member_ids') ??
    idRule(item, 'id', channelIdBytesMax, /^[\w!-]*$/) ??
    missing(item, 'type', 'created_by'),
  member: (item) =>
    missing(item, 'channel_type') ?? channelRule(item, 'channel_id', 'channel_member_ids') ?? missing(item, 'user_id'),
  message: messageRule,
  reaction: (item) =>
    missing(item, 'message_id', 'type', 'user_id', 'created_at') ??
    idRule(item, 'type', reactionBytesMax, /^[\w+:.-]*$/),
  device: (item) =>
    missing(item, 'id') ??
    idRule(item, 'id', idBytesMax) ??
    missing(item, 'user_id', 'created_at') ??
    idRule(item, 'user_id', idBytesMax) ??
    expectOneOf(item, 'push_provider_type', ['firebase', 'huawei', 'apn', 'xiaomi']),
};

const muteRule = (mute: unknown): Broken =>
  /^[^:]+:[^:]+$/.test(asWord(mute))
    ? undefined
    : problem('value', `expected a muted channel as type:id, found ${describe(mute)}`);

/** References of items that break no rule by themselves. */
export interface Known {
  hasUser(id: string): boolean;
  hasChannel(cid: string): boolean;
  /** Teams of a person, or the team of a channel. */
  teamsOf(id: string): readonly string[];
  teamOf(cid: string): string | undefined;
}

const user = (id: unknown, known: Known): Broken =>
  asString(id) === undefined || known.hasUser(id as string)
    ? undefined
    : problem('reference', `no item of the file is the user ${describe(id)}`);

const channel = (cid: string | undefined, known: Known): Broken =>
  cid === undefined || known.hasChannel(cid)
    ? undefined
    : problem('reference', `no item of the file is the channel ${describe(cid)}`);

/** Returns a reference of an item that the file does not contain. For messages and threads the plan itself reports it. */
export function referenceBrokenBy(kind: Kind, item: Item, known: Known): Broken {
  const cid = makeCid(item.channel_type, item.channel_id, item.channel_member_ids);
  switch (kind) {
    case 'user':
      return (
        first(asArray(item.channel_mutes), (mute) => channel(asString(mute), known)) ??
        first(asArray(item.user_mutes), (mute) => user(mute, known))
      );
    case 'channel':
      return user(item.created_by, known);
    case 'member':
      return channel(cid, known) ?? user(item.user_id, known) ?? memberRule(item, cid, known);
    case 'message':
      return (
        channel(cid, known) ??
        user(item.user, known) ??
        first(asArray(item.mentioned_users_ids), (id) => user(id, known)) ??
        lengthRule(item.text)
      );
    case 'reaction':
    case 'device':
      return user(item.user_id, known);
    default:
      return undefined;
  }
}

function memberRule(item: Item, cid: string | undefined, known: Known): Broken {
  const ids = asStrings(item.channel_member_ids);
  const id = asString(item.user_id) ?? '';
  if (ids.length > 0 && !ids.includes(id))
    return problem('reference', `the members of the channel do not include ${describe(id)}`);
  const teams = known.teamsOf(id);
  const team = known.teamOf(cid ?? '');
  if ((teams.length === 0 && team === undefined) || teams.includes(team ?? '')) return undefined;
  return problem('reference', `the team of the channel (${describe(team)}) is none of ${describe(id)}`);
}

function lengthRule(text: unknown): Broken {
  if (typeof text !== 'string' || text.length <= textMax) return undefined;
  const count = asCount([...text].length)!;
  return count <= textMax
    ? undefined
    : problem('value', `expected a text of up to ${textMax} characters, found ${count}`);
}
