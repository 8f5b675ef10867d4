import { PackedMap } from '../../lib/maps/packed-map.ts';
import type { Location } from '../../lib/text/location.ts';
import type { LocatedNotes } from '../kit/rows/located-notes.ts';
import { asString, asStrings, describe, type Untrusted } from '../kit/narrow.ts';
import { makeCid, type Kind } from './format.ts';
import { type Known, referenceBrokenBy, ruleBrokenBy } from './rules.ts';

type Item = Untrusted<Record<string, unknown>>;

/**
 * Rules over a whole import: duplicates, and what items name. Like Stream, an item that breaks a rule by itself counts as not there.
 * Remembers people, channels, devices and memberships, some 40 bytes each.
 */
export class Checker {
  readonly #notes: LocatedNotes;
  readonly #isV2: boolean;
  /** By id; people and channels with their teams. */
  readonly #ids = { user: new PackedMap(), channel: new PackedMap(), member: new PackedMap(), device: new PackedMap() };
  readonly #known: Known = {
    hasUser: (id) => this.#ids.user.get(id) !== undefined,
    hasChannel: (cid) => this.#ids.channel.get(cid) !== undefined,
    teamsOf: (id) => (this.#ids.user.get(id) ?? '').split('\n').filter(Boolean),
    teamOf: (cid) => this.#ids.channel.get(cid) || undefined,
  };

  constructor(notes: LocatedNotes, isV2: boolean) {
    this.#notes = notes;
    this.#isV2 = isV2;
  }

  /** The first time: everything but messages, which nothing of this names. */
  check(kind: Kind, item: Item, location: Location): void {
    if (kind === 'message') return;
    const broken = ruleBrokenBy(kind, item, this.#isV2);
    const id = broken ? undefined : keyOf(kind, item);
    if (broken) this.#notes.add(broken.code, `${named(kind, item)}: ${broken.reason}`, location);
    if (id === undefined) return;
    const ids = this.#ids[kind as 'user' | 'channel' | 'member' | 'device'];
    if (ids.get(id) !== undefined)
      this.#notes.add('stream-rule-duplicate', `${named(kind, item)}: an item before this one is the same`, location);
    const teams = kind === 'user' ? asStrings(item.teams).join('\n') : (asString(item.team) ?? '');
    ids.set(id, teams);
  }

  /** The second time: everything is known, and messages come. */
  compare(kind: Kind, item: Item, location: Location): void {
    const own = ruleBrokenBy(kind, item, this.#isV2);
    if (own && kind !== 'message') return;
    const broken = own ?? referenceBrokenBy(kind, item, this.#known) ?? this.#memberless(kind, item);
    if (broken) this.#notes.add(broken.code, `${named(kind, item)}: ${broken.reason}`, location);
  }

  /** Everybody in a channel of certain people has an item of their own. */
  #memberless(kind: Kind, item: Item) {
    if (kind !== 'channel') return undefined;
    const cid = makeCid(item.type, undefined, item.member_ids);
    const missing = asStrings(item.member_ids).find((id) => this.#ids.member.get(`${cid} ${id}`) === undefined);
    if (missing === undefined) return undefined;
    return { code: 'stream-rule-reference', reason: `no item of the file is the member ${describe(missing)}` };
  }
}

/** Returns undefined for items that are identified elsewhere: messages by the plan, reactions by who gave them. */
function keyOf(kind: Kind, item: Item): string | undefined {
  if (kind === 'channel') return makeCid(item.type, item.id, item.member_ids);
  if (kind === 'member') {
    return `${makeCid(item.channel_type, item.channel_id, item.channel_member_ids)} ${asString(item.user_id)}`;
  }
  return kind === 'user' || kind === 'device' ? asString(item.id) : undefined;
}

const named = (kind: Kind, item: Item): string => {
  const id = asString(item.id) ?? asString(item.user_id);
  return id === undefined ? kind : `${kind} ${describe(id)}`;
};
