import { type Json, type UserRecord, userSchema } from '../model/records.ts';
import { checkedRecord, type MappingModule, type PersonResult, personResultSchema, runStep } from './module.ts';
import { chosenId } from './ids.ts';
import { serviceId } from './service-id.ts';
import type { LookupRule, Rules } from './rules.ts';
import { shorten } from '../lib/text/shorten.ts';
import { fillTemplate } from './rules/template.ts';
import { dirname, resolve } from 'node:path';
import { SourceError, UsageError } from '../lib/errors.ts';
import { sha256Hex } from '../lib/hash.ts';
import { formatLocation } from '../lib/text/location.ts';
import { withoutMark } from '../lib/text/spreadsheet-text.ts';
import { idPattern, isUsableUrl, nameLengthMax } from '../service/profiles.ts';
import type { TableRow, TableStep } from '../sources/table-rows.ts';
import { docsLink } from '../lib/docs-link.ts';

/** A user as the service gets it: the id that messages name, and the details that travel until they are known there. */
export interface MappedPerson {
  readonly uid: string;
  readonly name: string;
  readonly details: Readonly<Record<string, unknown>>;
}

/** Whom `people.deleted: placeholder` calls so: their names are not migrated, nor what a template makes of them. */
const deletedName = 'Deleted user';

export function mapPerson(user: UserRecord, rules: Rules, lookup?: Lookup): MappedPerson {
  const isNameless = user.isDeleted === true && rules.people.deleted === 'placeholder';
  const uid = knownUid(user, rules, lookup) ?? serviceId(isNameless ? user.id : uidSource(user, rules), rules.ids);
  if (isNameless) return { uid, name: deletedName, details: { uid, name: deletedName } };
  const name = shorten(user.name, nameLengthMax);
  return {
    uid,
    name,
    details: {
      uid,
      name,
      ...(isUsableUrl(user.avatarUrl) && { avatar: user.avatarUrl }),
      ...(user.metadata && { metadata: user.metadata }),
      ...(user.createdAtMs !== undefined && { createdAt: Math.floor(user.createdAtMs / 1000) }),
    },
  };
}

const isMail = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;
const isNumber = /^\+?(?=(?:\D*\d){6})[\d\s().\-/]{6,25}$/;
const namesNumber = /phone|mobile|msisdn|telefon|handy|whatsapp|(?:^|[_.-])(?:tel|cell)(?:$|[_.-])/i;

/**
 * The person with mail addresses and telephone numbers in fields of their own, out of free-form metadata, which everyone at the destination
 * can read: an address by its value, a number by its "+", or by its key.
 */
export function withContactsApart(user: UserRecord): UserRecord {
  if (user.metadata === undefined) return user;
  const found: { email?: string; phone?: string } = {};
  const without = (value: Json, key: string): Json | undefined => {
    if (Array.isArray(value)) return value.flatMap((one) => without(one, key) ?? []);
    if (typeof value === 'object' && value !== null)
      return Object.fromEntries(
        Object.entries(value).flatMap(([inner, one]) => {
          const kept = without(one, inner);
          return kept === undefined ? [] : [[inner, kept]];
        }),
      );
    const text = typeof value === 'string' ? value.trim() : typeof value === 'number' ? String(value) : '';
    if (isMail.test(text)) found.email ??= text;
    else if (isNumber.test(text) && (text.startsWith('+') || namesNumber.test(key))) found.phone ??= text;
    else return value;
    return undefined;
  };
  const metadata = without(user.metadata, '') as NonNullable<UserRecord['metadata']>;
  if (found.email === undefined && found.phone === undefined) return user;
  const { metadata: _metadata, ...rest } = user;
  return { ...found, ...rest, ...(Object.keys(metadata).length > 0 && { metadata }) };
}

/**
 * Maps a person by the module's step with ours behind it, or by the rules alone where there is none.
 *
 * @returns Besides, what is wrong with the module's answer: the user is ours then.
 */
export function mapPersonByMapping(
  user: UserRecord,
  {
    rules,
    lookup,
    module,
  }: { readonly rules: Rules; readonly lookup?: Lookup | undefined; readonly module?: MappingModule | undefined },
): { readonly mapped: MappedPerson; readonly fault?: string } {
  const ours = (given: UserRecord) => mapPerson(given, rules, lookup);
  const step = module?.mapPerson;
  if (!step) return { mapped: ours(user) };
  const next = (given: UserRecord) =>
    ours(checkedRecord(given, userSchema, ({ id }) => id, user.id)).details as unknown as PersonResult;
  const { result, fault } = runStep('mapPerson', () => step(user, { rules, next }), personResultSchema);
  if (fault !== undefined) return { mapped: ours(user), fault };
  return { mapped: { uid: result.uid, name: result.name, details: result } };
}

/** Returns the uid that a person has already: set by hand, or in the table of `people.lookup`. */
export function knownUid(user: UserRecord, rules: Rules, lookup: Lookup | undefined): string | undefined {
  const byHand = chosenId(rules.people.uids, user.id);
  if (byHand !== undefined || lookup === undefined) return byHand;
  const key = tableKey(user, rules);
  return key === undefined ? undefined : lookup.uids.get(key);
}

/** Returns the key under which the table of `people.lookup` would have a person; undefined without a table, or such a field. */
export function tableKey(user: UserRecord, { people: { lookup } }: Rules): string | undefined {
  if (lookup === 'none') return undefined;
  const key = user[lookup.by];
  return key === undefined ? undefined : lookupKey(key, lookup.by);
}

/** Applies the template if the person has all its fields, otherwise uses the id: a person without e-mail still needs a uid. */
function uidSource(user: UserRecord, rules: Rules): string {
  const { id, handle, name, email } = user;
  return fillTemplate(rules.people.uid, { id, handle, name, email }) ?? id;
}

/** Uids that people have already, by what `people.lookup.by` names; e-mail addresses and handles in lower case. */
export interface Lookup {
  readonly uids: ReadonlyMap<string, string>;
  /** Changes when the table does. */
  readonly hash: string;
}

/** Content of a table of uids, and what is wrong with it: with a fault, it cannot be used. */
export interface ReadLookup {
  readonly uids: Lookup['uids'];
  /** Rows that could be read, also those without a uid. */
  readonly rows: number;
  /** The first 20, each with its line or pointer. */
  readonly faults: readonly string[];
  readonly faultCount: number;
}

/** Faults that are kept, and those that one error names. */
const faultsMax = 20;
const namedMax = 5;

/**
 * Reads the whole table: about 100 bytes for each person.
 *
 * @param mappingPath The table's path counts from its folder.
 * @throws UsageError that names the file, and line or pointer of what is wrong in it.
 */
export async function loadLookup(rule: LookupRule, mappingPath: string): Promise<Lookup> {
  const read = await readLookup(rule, lookupPath(rule, mappingPath));
  assertFaultless(rule, read);
  const { uids } = read;
  if (uids.size === 0) throw unusable(rule, 'it names nobody');
  return { uids, hash: sha256Hex(JSON.stringify([...uids])) };
}

export const lookupPath = ({ file }: Pick<LookupRule, 'file'>, mappingPath: string): string =>
  resolve(dirname(mappingPath), file);

/** @throws UsageError that names the first faults. */
export function assertFaultless(rule: LookupRule, { faults, faultCount }: ReadLookup): void {
  if (faultCount === 0) return;
  const named = faults.slice(0, namedMax);
  const more = faultCount - named.length;
  throw unusable(rule, [...named, ...(more > 0 ? [`${more} more`] : [])].join('; '));
}

/** Reads a table of uids that may have faults. @throws UsageError if it is no table. */
export async function readLookup(rule: LookupRule, path: string): Promise<ReadLookup> {
  const { readTable } = await import('../sources/table-rows.ts');
  const table = new LookupTable(rule);
  try {
    for await (const steps of readTable(path)) for (const step of steps) table.add(step);
  } catch (cause) {
    if (!(cause instanceof SourceError)) throw cause;
    throw unusable(rule, cause.message, cause);
  }
  return table;
}

const unusable = ({ file }: LookupRule, what: string, cause?: unknown) =>
  new UsageError(`Cannot use people.lookup "${file}": ${what}`, {
    hint: `${docsLink('reference/mapping')} shows a table of uids; its path counts from the folder of the mapping file`,
    cause,
  });

class LookupTable implements ReadLookup {
  readonly uids = new Map<string, string>();
  readonly faults: string[] = [];
  rows = 0;
  faultCount = 0;
  readonly #rule: LookupRule;

  constructor(rule: LookupRule) {
    this.#rule = rule;
  }

  add(step: TableStep): void {
    if (step.type === 'row') this.#addRow(step);
    else if (step.type === 'invalid') this.#fault(`${formatLocation(step.location)}: ${step.reason}`);
  }

  #addRow(row: TableRow): void {
    this.rows++;
    const place = formatLocation(row.location);
    const [key, uid] = [this.#cell(row, this.#rule.id), this.#cell(row, this.#rule.uid)];
    // A row without a key or a uid is treated as missing from the table.
    if (!key || !uid) return;
    const folded = lookupKey(key, this.#rule.by);
    const known = this.uids.get(folded);
    if (!idPattern.test(uid)) {
      this.#fault(`${place}: ${this.#rule.uid}: expected 1 to 100 characters of a-z, 0-9, - and _, found "${uid}"`);
    } else if (known !== undefined && known !== uid) {
      this.#fault(`${place}: "${key}" is "${uid}" here and "${known}" above`);
    } else this.uids.set(folded, uid);
  }

  #cell(row: TableRow, column: string): string | undefined {
    const value = row.get(column);
    if (typeof value === 'string' || typeof value === 'number') return withoutMark(String(value).trim());
    if (value === undefined && !row.names().includes(column)) {
      this.#fault(`${formatLocation(row.location)}: expected a column "${column}", found ${row.names().join(', ')}`);
    }
    return undefined;
  }

  #fault(words: string): void {
    this.faultCount++;
    if (this.faults.length < faultsMax) this.faults.push(words);
  }
}

export const lookupKey = (text: string, by: LookupRule['by']): string =>
  by === 'id' ? text : text.trim().toLowerCase();
