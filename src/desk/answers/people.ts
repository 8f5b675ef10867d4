import { z } from 'zod';
import { UsageError } from '../../lib/errors.ts';
import { countOf } from '../../lib/text/count.ts';
import { dotted, settingText, yamlLine } from '../../lib/settings.ts';
import { addDecisions, readDecisions } from '../../report/decision-log.ts';
import { peopleFacts } from '../engine/people-calls.ts';
import { tableName } from '../engine/people-map.ts';
import { peopleSeenKey } from '../files/workspace.ts';
import { commandLine } from '../runs/command-lines.ts';
import type {
  ChangedPerson,
  DuplicatePage,
  ImportedPeople,
  MergedPeople,
  PeoplePage,
  PeopleRoutes,
} from '../shapes.ts';
import { byName, changeFiles, readVersion } from './changes.ts';
import { Download } from './download.ts';
import { BadRequest, checkedBody } from './faults.ts';
import type { Parts } from './parts.ts';
import type { AnswersTo } from './routes.ts';

type PeopleAnswers = AnswersTo<PeopleRoutes> & { readonly 'GET people.csv': () => Promise<Download> };

export const peopleAnswers = (parts: Parts): PeopleAnswers => ({
  'GET people': (search) => people(parts, search),
  'GET duplicates': (search) => duplicates(parts, search),
  'POST person': (_, body) => setPerson(parts, checkedBody(personRequest, body)),
  'POST people-seen': (_, body) => notePeopleSeen(parts, checkedBody(seenRequest, body)),
  'POST merge': (_, body) => merge(parts, checkedBody(mergeRequest, body)),
  'PUT people.csv': (search, body) => importPeople(parts, search, body),
  async 'GET people.csv'() {
    const text = await parts.engine.call('peopleCsv', { facts: peopleFacts(parts.workspace) });
    return new Download({ fileName: tableName, type: 'text/csv', text });
  },
});

const id = z.string().min(1).max(10_000);
const uid = z.string().max(1_000).nullable();
const personRequest = z.strictObject({ version: z.string(), id, by: byName, uid, seen: z.string().optional() });
const seenRequest = z.strictObject({ version: z.string(), by: byName });
const mergeRequest = z.strictObject({
  version: z.string(),
  by: byName,
  /** The first is the person whom the others become. */
  ids: z
    .array(id)
    .min(2)
    .max(10)
    .refine((ids) => new Set(ids).size === ids.length, { error: 'expected different people' }),
});

/** Characters of a search; a longer one finds no one. */
const searchMax = 1_000;
const only = z.enum(['all', 'open', 'set']).catch('all');
const by = z.enum(['email', 'name', 'handle']).catch('email');

async function people(parts: Parts, search: URLSearchParams): Promise<PeoplePage> {
  const query = {
    search: (search.get('search') ?? '').slice(0, searchMax),
    only: only.parse(search.get('only')),
    after: search.get('after'),
  };
  const version = readVersion(parts);
  const found = await parts.engine.call('people', { facts: peopleFacts(parts.workspace), query });
  if (found === null) return { version, rows: [], next: null, people: null, unknown: 0, isReady: false, leftOut: 0 };
  return { version, isReady: true, ...found };
}

async function duplicates(parts: Parts, search: URLSearchParams): Promise<DuplicatePage> {
  const query = { by: by.parse(search.get('by')), after: search.get('after') };
  const version = readVersion(parts);
  const facts = peopleFacts(parts.workspace);
  return { version, ...(await parts.engine.call('duplicates', { facts, ...query })) };
}

const setPerson = (
  parts: Parts,
  { version, id: person, uid, seen, by: name }: z.output<typeof personRequest>,
): Promise<ChangedPerson> =>
  changeFiles(parts, version, async () => {
    assertLog(parts);
    const changed = await parts.engine.call('setUid', { facts: peopleFacts(parts.workspace), id: person, uid, seen });
    const key = dotted(['people', 'uids', person]);
    note(parts, name, { key, answer: uid ?? 'the template decides', before: changed.before });
    return { ...changed.person, version: readVersion(parts) };
  });

const merge = (parts: Parts, { version, ids, by: name }: z.output<typeof mergeRequest>): Promise<MergedPeople> =>
  changeFiles(parts, version, async () => {
    assertLog(parts);
    const merges = await parts.engine.call('mergePeople', { facts: peopleFacts(parts.workspace), ids });
    note(parts, name, { key: 'people.merge', answer: yamlLine([ids]), before: null });
    const sets = [`people.merge=${settingText(merges)}`];
    const written = [parts.workspace.shown(parts.workspace.paths().mapping)];
    return { version: readVersion(parts), written, command: commandLine('init', parts.facts(), { sets }).text };
  });

/** @throws UsageError without a plan */
const notePeopleSeen = (parts: Parts, { version, by: name }: z.output<typeof seenRequest>): Promise<object> =>
  changeFiles(parts, version, async () => {
    const report = parts.workspace.report('plan');
    if (report === null) throw new UsageError('There are no people yet', { hint: 'Plan the export first' });
    const { total } = report.people;
    const about = `People: ${countOf(total, 'person', 'people')} looked through`;
    note(parts, name, { key: peopleSeenKey, answer: String(total), before: null, about });
    return {};
  });

/** @throws BadRequest, and what `changeFiles` throws */
function importPeople(parts: Parts, search: URLSearchParams, body: unknown): Promise<ImportedPeople> {
  const name = checkedBody(byName, search.get('by'));
  if (!(body instanceof Uint8Array)) throw new BadRequest('Cannot take the table: expected CSV');
  return changeFiles(parts, search.get('version') ?? '', async () => {
    assertLog(parts);
    const imported = await parts.engine.call('importPeople', { facts: peopleFacts(parts.workspace), table: body });
    const { set, changed, cleared } = imported;
    const answer = `${countOf(set, 'uid')}: ${changed} new or others, ${cleared} removed`;
    if (changed + cleared > 0) note(parts, name, { key: tableName, answer, before: null });
    return { version: readVersion(parts), ...imported };
  });
}

/** Before anything is changed: a decision that cannot be noted is not made. @throws UsageError */
const assertLog = ({ workspace }: Parts): unknown => readDecisions(workspace.paths().store);

type Noted = Pick<Parameters<typeof addDecisions>[1][number], 'key' | 'answer' | 'before' | 'about'>;

const note = ({ workspace, now }: Parts, name: string, decision: Noted): void =>
  addDecisions(workspace.paths().store, [{ ...decision, by: name, atMs: now() }]);
