import { existsSync, readFileSync, statSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { openStoreToRead, type Store } from '../../store/open.ts';
import { UsageError } from '../../lib/errors.ts';
import { changedMeanwhile, putInPlace, replaceFile, writeFlushed } from '../../lib/files/atomic-file.ts';
import { assertFaultless, lookupPath, readLookup } from '../../mapping/person.ts';
import { parseRules } from '../../mapping/load.ts';
import type { Rules, LookupRule } from '../../mapping/rules.ts';
import type { Settings } from '../../lib/settings.ts';
import { idPattern } from '../../service/profiles.ts';
import type { DuplicateGroup, ImportedPeople, Page, PersonRow } from '../shapes.ts';
import { type FoundPerson, PeopleIndex, type PeopleQuery } from './people-index.ts';

export interface PeopleFiles {
  readonly store: string;
  /** Path of the mapping, which may not exist. The table of uids is next to it. */
  readonly mapping: string;
  /** Writes settings into the mapping, as `init --set` does. */
  readonly decide: (settings: Settings) => Promise<unknown>;
  /** Says how many people of a new plan were read. */
  readonly progress?: (done: number) => void;
}

export interface FoundPeople extends Page<PersonRow> {
  readonly people: number;
  readonly unknown: number;
  readonly leftOut: number;
}

export interface UidChange {
  readonly id: string;
  /** Null: the template makes it. */
  readonly uid: string | null;
  /** The uid that the page has shown: a person who has another one by now keeps it. Absent: whatever it is. */
  readonly seen?: string | undefined;
}

/** A changed uid, and the one that was set before; null if it was made by the template. */
export interface ChangedUid {
  readonly person: PersonRow;
  readonly before: string | null;
}

export const tableName = 'chatferry.people.csv';

const mergesMax = 1_000;

type Merges = Rules['people']['merge'];

/**
 * The people of the latest plan and their uids. The files are the only truth: everything is read again when one of them has changed, and
 * every change is written before it is answered. Calls must not overlap.
 */
export class PeopleMap {
  #index: PeopleIndex | undefined;
  /** What the index was made from: it is made again if that changes. */
  #madeFrom = '';
  #tableFrom = '';
  #mergesFrom = '';

  close(): void {
    this.#index?.close();
    this.#index = undefined;
    this.#madeFrom = '';
  }

  /** @returns Undefined without a plan that has read everything. @throws UsageError if the table of uids cannot be used. */
  async page(files: PeopleFiles, query: PeopleQuery): Promise<FoundPeople | undefined> {
    const index = await this.#open(files);
    return index && { ...index.page(query), people: index.people, unknown: index.unknown, leftOut: index.leftOut };
  }

  /** @throws UsageError */
  async duplicates(
    files: PeopleFiles,
    query: { readonly by: DuplicateGroup['by']; readonly after: string | null },
  ): Promise<Page<DuplicateGroup>> {
    const index = await this.#open(files);
    return index?.duplicates(query) ?? { rows: [], next: null };
  }

  /** The table of uids as text: CSV, a row for everyone, with the uids that are set. @throws UsageError */
  async csv(files: PeopleFiles): Promise<string> {
    return [...(await this.#planned(files)).csv()].join('');
  }

  /**
   * Gives a person a uid, or leaves it to the template again: in the table of uids, or where the mapping names the person.
   *
   * @throws UsageError if there is no such person or the uid cannot be set. Then nothing was written.
   */
  async set(files: PeopleFiles, { id, uid, seen }: UidChange): Promise<ChangedUid> {
    if (uid !== null && !idPattern.test(uid)) throw cannotSet(id, 'expected 1 to 100 characters of a-z, 0-9, - and _');
    const index = await this.#planned(files);
    const found = personIn(index, id);
    if (seen !== undefined && found.uid !== seen) throw cannotSet(id, `it is "${found.uid}" by now`);
    const before = found.setBy === 'template' ? null : found.uid;
    if (found.setBy === 'merged') throw cannotSet(id, `the mapping merges this person into "${found.mergedInto}"`);
    if (found.setBy === 'mapping') await setByHand(files, id, uid);
    else await this.#setInTable(files, index, found, uid);
    return { person: shown(personIn(await this.#planned(files), id)), before };
  }

  /**
   * Takes a table of uids in place of the present one, if it has no fault.
   *
   * @param table CSV, as `csv()` gives it and a person has edited it.
   * @throws UsageError if it is no table, or there is no plan. Then nothing was written.
   */
  async import(files: PeopleFiles, table: Uint8Array): Promise<Omit<ImportedPeople, 'version'>> {
    if (this.#people(files) === undefined) throw notPlanned();
    const [rules, from] = [readRules(files), readState(files)];
    const folder = await mkdtemp(join(dirname(files.mapping), '.chatferry.people-'));
    try {
      const path = join(folder, tableName);
      await writeFlushed(path, [table]);
      const { uids, rows, ...read } = await readLookup(tableRule(rules), path);
      const faults = rows === 0 && read.faultCount === 0 ? ['It has no row'] : read.faults;
      const faultCount = Math.max(read.faultCount, faults.length);
      if (faultCount > 0) return { ...nothing, faults, faultCount };
      const differences = countDifferences(await this.#presentTable(files), uids);
      await writeTable(files, { rules, entries: uids.size, from }, async (assertStill) => {
        assertStill?.();
        putInPlace(path, tablePath(files));
      });
      const index = this.#people(files)!;
      this.#setTable(index, uids, readState(files));
      const { entries: set, unmatched, sharedUids: shared } = index;
      return { ...nothing, ...differences, set, unmatched, shared };
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  /**
   * Makes people one person: the first. @returns The merges of the mapping now.
   *
   * @throws UsageError if one of them is not in the plan, or is part of another already.
   */
  async merge(files: PeopleFiles, ids: readonly string[]): Promise<Merges> {
    const index = await this.#planned(files);
    for (const id of ids) {
      const { mergedInto } = personIn(index, id);
      if (mergedInto !== null) throw cannotMerge(`"${id}" is part of "${mergedInto}" already`);
      if (!id.isWellFormed()) throw cannotMerge('the id of one of them is damaged');
    }
    const merges = withMerge(readRules(files).people.merge, ids);
    if (merges.length > mergesMax) throw cannotMerge(`the mapping has ${mergesMax} merges already`);
    await files.decide({ people: { merge: merges } });
    return merges;
  }

  /** @throws UsageError without a plan. */
  async #planned(files: PeopleFiles): Promise<PeopleIndex> {
    const index = await this.#open(files);
    if (index === undefined) throw notPlanned();
    return index;
  }

  async #open(files: PeopleFiles): Promise<PeopleIndex | undefined> {
    const index = this.#people(files);
    const from = readState(files);
    if (index === undefined || from === this.#tableFrom) return index;
    this.#setTable(index, await readUids(readRules(files).people.lookup, files), from);
    return index;
  }

  /** @param from State of the table with these uids. */
  #setTable(index: PeopleIndex, uids: ReadonlyMap<string, string>, from: string): void {
    this.#tableFrom = '';
    index.setTable(uids);
    this.#tableFrom = from;
  }

  /** Everyone in the plan, whatever the table of uids says. */
  #people(files: PeopleFiles): PeopleIndex | undefined {
    if (!existsSync(files.store)) return undefined;
    const rules = readRules(files);
    const store = openStoreToRead(files.store);
    try {
      if (store.facts.read('isComplete') !== 'yes') return undefined;
      this.#fill(store, rules, files.progress);
    } finally {
      store.close();
    }
    const mergesFrom = JSON.stringify(rules.people.merge);
    if (mergesFrom !== this.#mergesFrom) this.#index?.setMerges(rules.people.merge);
    this.#mergesFrom = mergesFrom;
    return this.#index;
  }

  #fill(store: Store, rules: Rules, progress: PeopleFiles['progress']): void {
    const { lookup, merge: _, ...others } = rules.people;
    const plan = [store.path, store.facts.planNumber(), store.facts.read('judgedAt'), store.facts.read('pins')];
    const madeFrom = JSON.stringify([plan, others, rules.ids, rules.module, keyOf(lookup)]);
    if (madeFrom === this.#madeFrom) return;
    this.close();
    this.#index = new PeopleIndex(store, rules, progress);
    [this.#madeFrom, this.#tableFrom, this.#mergesFrom] = [madeFrom, '', ''];
  }

  async #setInTable(
    files: PeopleFiles,
    index: PeopleIndex,
    { id, key }: FoundPerson,
    uid: string | null,
  ): Promise<void> {
    if (key === null) throw cannotSet(id, 'the table of uids cannot name this person: set people.uids in the mapping');
    const from = this.#tableFrom;
    // If anything fails from here on, the files are read again.
    this.#tableFrom = '';
    index.setUid(key, uid);
    await writeTable(files, { rules: readRules(files), entries: index.entries, from }, (assertStill) =>
      replaceFile(tablePath(files), index.csv(), assertStill),
    );
    this.#tableFrom = readState(files);
  }

  /** A table that cannot be used has no uids: another may take its place. */
  async #presentTable(files: PeopleFiles): Promise<ReadonlyMap<string, string>> {
    try {
      return (await this.#planned(files)).table();
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      return new Map();
    }
  }
}

const nothing = { set: 0, changed: 0, cleared: 0, unmatched: 0, shared: 0, faults: [], faultCount: 0 } as const;

const notPlanned = () => new UsageError('People are known after a plan', { hint: 'Plan the export first' });
const cannotSet = (id: string, why: string) => new UsageError(`Cannot set the uid of "${id}": ${why}`);
const cannotMerge = (why: string) => new UsageError(`Cannot merge these people: ${why}`);

/** @throws UsageError if it is not in the plan. */
function personIn(index: PeopleIndex, id: string): FoundPerson {
  const found = index.find(id);
  if (found === undefined) throw new UsageError(`No one in the plan has the id "${id}"`);
  return found;
}

const shown = ({ key: _, ...person }: FoundPerson): PersonRow => person;

/** The mapping that was read last, with its rules: to read a long one takes longer than to find anybody. */
let read: { readonly mapping: string; readonly text: string; readonly rules: Rules } | undefined;

/** The rules of the mapping; the defaults if there is none. JSON is YAML. */
function readRules({ mapping }: PeopleFiles): Rules {
  const text = existsSync(mapping) ? readFileSync(mapping, 'utf8') : '{}';
  if (read?.mapping !== mapping || read.text !== text) read = { mapping, text, rules: parseRules(text, mapping) };
  return read.rules;
}

type Lookup = Rules['people']['lookup'];

const keyOf = (lookup: Lookup): LookupRule['by'] => (lookup === 'none' ? 'id' : lookup.by);

const tablePath = ({ mapping }: PeopleFiles): string => lookupPath({ file: tableName }, mapping);

/** Changes whenever the table does that a mapping names, or would name. */
function readState(files: PeopleFiles): string {
  const { lookup } = readRules(files).people;
  const stat = statSync(lookupPath(lookup === 'none' ? { file: tableName } : lookup, files.mapping), {
    throwIfNoEntry: false,
    bigint: true,
  });
  return JSON.stringify([lookup, String(stat?.ino), String(stat?.mtimeNs), String(stat?.size)]);
}

/** @throws UsageError if the table cannot be used. One that names nobody is a beginning. */
async function readUids(lookup: Lookup, { mapping }: PeopleFiles): Promise<ReadonlyMap<string, string>> {
  if (lookup === 'none') return new Map();
  const read = await readLookup(lookup, lookupPath(lookup, mapping));
  assertFaultless(lookup, read);
  return read.uids;
}

/** How the mapping names the table that the desk writes. People are found in it by what they were found by before. */
function tableRule({ people: { lookup } }: Rules): LookupRule {
  const by = keyOf(lookup);
  return { file: tableName, id: by, uid: 'uid', by, missing: lookup === 'none' ? 'template' : lookup.missing };
}

/**
 * Writes the table and lets the mapping name it, as long as it has a uid. The mapping never names a table that is not there yet, or has none.
 *
 * @param written `entries`: uids in the table. `from`: its state when it was read.
 * @throws UsageError, also if another process has written it or the mapping since
 */
async function writeTable(
  files: PeopleFiles,
  { rules, entries, from }: { readonly rules: Rules; readonly entries: number; readonly from: string },
  write: (assertStill?: () => void) => Promise<unknown>,
): Promise<void> {
  const { lookup } = rules.people;
  const assertStill = () => {
    if (readState(files) !== from) throw changedMeanwhile(tablePath(files));
  };
  if (entries === 0 && lookup !== 'none') {
    if (lookup.missing === 'reject')
      throw new UsageError('Cannot leave the table of uids empty: the mapping rejects everyone who is not in it', {
        hint: 'Set people.lookup.missing to template first',
      });
    assertStill();
    await files.decide({ people: { lookup: 'none' } });
    await write();
  } else await write(assertStill);
  const rule = tableRule(rules);
  if (entries > 0 && !isDeepStrictEqual(rule, lookup)) await files.decide({ people: { lookup: written(rule) } });
}

/** A rule without what it would be anyway. */
const written = ({ by, missing, ...rule }: LookupRule): Settings => ({
  ...rule,
  ...(by !== 'id' && { by }),
  ...(missing !== 'template' && { missing }),
});

/** Sets a uid where the mapping names the person. @throws UsageError */
async function setByHand(files: PeopleFiles, id: string, uid: string | null): Promise<void> {
  if (uid === null)
    throw cannotSet(id, `the mapping sets it in people.uids: remove it there to leave it to the template`);
  await files.decide({ people: { uids: { [id]: uid } } });
}

/** How many uids are new or others, and how many are gone. */
function countDifferences(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>) {
  const changed = after.entries().reduce((count, [key, uid]) => count + (before.get(key) === uid ? 0 : 1), 0);
  const cleared = before.keys().reduce((count, key) => count + (after.has(key) ? 0 : 1), 0);
  return { changed, cleared };
}

/** The lists with one more. Lists of people who become part of another go with them: each id is in one list. */
function withMerge(merges: Merges, ids: readonly string[]): Merges {
  const isIn = ([first]: readonly string[]) => ids.includes(first!);
  const joined = [...new Set([...ids, ...merges.filter(isIn).flat()])];
  return [...merges.filter((list) => !isIn(list)), joined];
}
