import { z } from 'zod';
import type { Inspection } from '../../commands/results.ts';
import { UsageError } from '../../lib/errors.ts';
import { countOf } from '../../lib/text/count.ts';
import { addDecisions, readDecisions } from '../../report/decision-log.ts';
import { usualRetentionDays } from '../../service/profiles.ts';
import type { ConversationRules } from '../engine/choice-calls.ts';
import { peopleFacts } from '../engine/people-calls.ts';
import { filesNow } from '../files/undo-stack.ts';
import type {
  ChangedConversations,
  ConversationOrder,
  ConversationRoutes,
  ConversationRow,
  ConversationSearch,
  ConversationsPage,
} from '../shapes.ts';
import { byName, changeFiles, readVersion } from './changes.ts';
import { checkedBody } from './faults.ts';
import type { Parts } from './parts.ts';
import type { AnswersTo } from './routes.ts';

const orders = ['messages', 'name', 'type', 'members', 'first', 'last'] as const satisfies readonly ConversationOrder[];
const searchMax = 1_000;
const searchShape = {
  search: z.string().max(searchMax).optional().catch(undefined),
  type: z.string().optional(),
  show: z.enum(['moved', 'left-out']).optional().catch(undefined),
};
const listRequest = z.object({
  ...searchShape,
  order: z.enum(orders).catch('messages'),
  isReversed: z.stringbool().catch(false),
  after: z.coerce.number().int().nonnegative().catch(0),
});
const changeRequest = z.strictObject({
  version: z.string(),
  by: byName,
  about: z.union([z.strictObject({ id: z.string().min(1).max(10_000) }), z.strictObject(searchShape)]),
  isExcluded: z.boolean().optional(),
  rename: z.string().trim().max(1_000).optional(),
  access: z.enum(['', 'private', 'public']).optional(),
  owner: z.string().trim().max(100).optional(),
});

type List = Inspection['conversationList'];

export function conversationAnswers(parts: Parts): AnswersTo<ConversationRoutes> {
  const conversations = new Conversations(parts);
  return {
    'GET conversations': (search) => conversations.page(listRequest.parse(Object.fromEntries(search))),
    'POST conversations': (_, body) => conversations.change(checkedBody(changeRequest, body)),
  };
}

const pageRows = 50;

/** The conversations of the export as they were counted, with what the mapping says of each. */
class Conversations {
  readonly #parts: Parts;
  /** The latest count, which is shown while the same export is counted again. */
  #counted: { readonly exports: string; readonly list: List } | undefined;
  #rows:
    | { readonly of: string; readonly list: List; readonly rules: ConversationRules; readonly all: Row[] }
    | undefined;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  async page(request: z.output<typeof listRequest>): Promise<ConversationsPage> {
    const { undone, workspace, looking } = this.#parts;
    const version = readVersion(this.#parts);
    const { list, rules, all } = await this.#read();
    const found = all.filter(matching(request));
    const ordered = inOrder(found, request.order, request.isReversed);
    const to = request.after + pageRows;
    const moved = all.filter(({ isExcluded }) => !isExcluded);
    const isUndecided = (looking.inspection?.open.length ?? 0) > 0;
    const hasExport = workspace.exports().length > 0;
    return {
      version,
      state: all.length > 0 || list !== none ? 'ready' : isUndecided ? 'undecided' : hasExport ? 'counting' : 'none',
      rows: ordered.slice(request.after, to).map(shown),
      next: to < ordered.length ? String(to) : null,
      count: list.count,
      listed: all.length,
      found: found.length,
      foundMoved: found.filter(({ isExcluded }) => !isExcluded).length,
      moved: moved.length,
      messages: countMessages(all),
      movedMessages: countMessages(moved),
      types: [...new Set(all.flatMap(({ type }) => type ?? []))],
      olderThan: rules.olderThan,
      serviceDays: serviceDays(workspace.options()),
      undo: undone.last(workspace),
    };
  }

  change({ version, by, about, isExcluded, ...single }: z.output<typeof changeRequest>): Promise<ChangedConversations> {
    const { workspace, engine, now, undone } = this.#parts;
    return changeFiles(this.#parts, version, async () => {
      const { rules, all } = await this.#read();
      const chosen = all.filter('id' in about ? ({ id }) => id === about.id : matching(about));
      if (chosen.length === 0) throw new UsageError('There is no such conversation');
      const { store } = workspace.paths();
      // Before anything is changed: a decision that cannot be noted is not made.
      readDecisions(store);
      const before = filesNow(workspace);
      const [{ id, title }] = chosen as [Row];
      const exclude = isExcluded === undefined ? undefined : excluded(rules.exclude, { all, chosen, isExcluded });
      await engine.call('setConversations', { facts: peopleFacts(workspace), change: { exclude, id, ...single } });
      const whose = chosen.length === 1 ? title : countOf(chosen.length, 'conversation');
      const said = describeChange({ isExcluded, ...single });
      addDecisions(store, [
        { key: 'conversations', answer: said, about: `${whose}: ${said}`, before: null, by, atMs: now() },
      ]);
      const after = filesNow(workspace);
      if (before && after) undone.push({ what: `${whose}: ${said}`, before, after });
      const row = chosen.length === 1 ? (await this.#read()).all.find((one) => one.id === id) : undefined;
      return { row: row === undefined ? null : shown(row), undo: undone.last(workspace) };
    });
  }

  /** Reads the mapping again if it has changed. */
  async #read() {
    const { workspace, engine, looking } = this.#parts;
    const exports = JSON.stringify(workspace.exports());
    const { inspection } = looking;
    if (inspection !== undefined && inspection.open.length === 0)
      this.#counted = { exports, list: inspection.conversationList };
    const list = this.#counted?.exports === exports ? this.#counted.list : none;
    const of = workspace.version();
    if (this.#rows?.of !== of || this.#rows.list !== list) {
      const rules = await engine.call('conversationRules', { mapping: workspace.paths().mapping });
      this.#rows = { of, list, rules, all: rowsOf(list, rules) };
    }
    return this.#rows;
  }
}

const none: List = { count: 0, rows: [] };

type Row = ConversationRow & { readonly words: string };

const shown = ({ words: _, ...row }: Row): ConversationRow => row;

function rowsOf({ rows }: List, { exclude, rename, types, owners }: ConversationRules): Row[] {
  const left = new Set(exclude);
  return rows.map((row) => {
    const { id, name, title } = row;
    const set = { rename: rename[id] ?? '', access: types[id] ?? ('' as const), owner: owners[id] ?? '' };
    const words = [id, title, set.rename].join('\n').toLowerCase();
    return { ...row, ...set, isExcluded: left.has(id) || (name !== '' && left.has(name)), words };
  });
}

function matching({ search = '', type = '', show }: ConversationSearch): (row: Row) => boolean {
  const words = search.toLowerCase();
  return (row) =>
    row.words.includes(words) &&
    (type === '' || row.type === type) &&
    (show === undefined || row.isExcluded === (show === 'left-out'));
}

/** Undefined finds the end, whatever the order. */
const keys: Readonly<Record<ConversationOrder, (row: Row) => number | string | null>> = {
  messages: ({ messages }) => -messages,
  name: ({ title, rename }) => (rename || title).toLowerCase(),
  type: ({ type }) => type,
  members: ({ members }) => (members === null ? null : -members),
  first: ({ firstAtMs }) => firstAtMs,
  last: ({ lastAtMs }) => (lastAtMs === null ? null : -lastAtMs),
};

function inOrder(rows: readonly Row[], order: ConversationOrder, isReversed: boolean): readonly Row[] {
  const sign = isReversed ? -1 : 1;
  const keyed = rows.map((row) => ({ row, key: keys[order](row) }));
  keyed.sort(({ key: a }, { key: b }) => {
    if (a === b) return 0;
    if (a === null || b === null) return a === null ? 1 : -1;
    return a < b ? -sign : sign;
  });
  return keyed.map(({ row }) => row);
}

const countMessages = (rows: readonly Row[]): number => rows.reduce((sum, { messages }) => sum + messages, 0);

interface Exclusion {
  readonly all: readonly Row[];
  readonly chosen: readonly Row[];
  readonly isExcluded: boolean;
}

/** The new list of the mapping. A name in it may exclude several: those that stay out are then named by their ids. */
function excluded(list: readonly string[], { all, chosen, isExcluded }: Exclusion): readonly string[] {
  if (isExcluded) return [...list, ...chosen.flatMap((row) => (row.isExcluded ? [] : [row.id]))];
  const back = new Set(chosen.flatMap(({ id, name }) => (name === '' ? [id] : [id, name])));
  const ids = new Set(chosen.map(({ id }) => id));
  const kept = list.filter((one) => !back.has(one));
  const has = new Set(kept);
  const others = all.filter((row) => row.isExcluded && !ids.has(row.id) && !has.has(row.id) && !has.has(row.name));
  return [...kept, ...others.map(({ id }) => id)];
}

function describeChange({
  isExcluded,
  rename,
  access,
  owner,
}: Omit<z.output<typeof changeRequest>, 'version' | 'by' | 'about'>): string {
  const said = [
    ...(isExcluded === undefined ? [] : [isExcluded ? 'left out' : 'moved']),
    ...(rename === undefined ? [] : [rename === '' ? 'the name of the export' : `named "${rename}"`]),
    ...(access === undefined
      ? []
      : [{ '': 'seen as all groups', private: 'seen by members', public: 'seen by everyone' }[access]]),
    ...(owner === undefined ? [] : [owner === '' ? 'owned as all groups' : `owned by ${owner}`]),
  ];
  return said.join(', ');
}

/** Null if it is not known, or all are kept. */
function serviceDays({ retentionDays, appId }: ReturnType<Parts['workspace']['options']>): number | null {
  if (retentionDays === undefined) return appId === undefined ? null : usualRetentionDays;
  return retentionDays === 'unlimited' ? null : retentionDays;
}
