import { z } from 'zod';
import { addDecisions, readDecisions } from '../../report/decision-log.ts';
import { findChoice } from '../engine/choice-calls.ts';
import { peopleFacts } from '../engine/people-calls.ts';
import { UsageError } from '../../lib/errors.ts';
import { dotted } from '../../lib/settings.ts';
import type { ChoiceRoutes, ChoicesView, ConversationsView } from '../shapes.ts';
import { byName, changeFiles, readVersion } from './changes.ts';
import { BadRequest, checkedBody } from './faults.ts';
import type { Parts } from './parts.ts';
import type { AnswersTo } from './routes.ts';

const choiceRequest = z.strictObject({
  version: z.string(),
  key: z.string(),
  /** Empty: the default. */
  value: z.string().max(10_000),
  by: byName,
});

const conversationRequest = z.strictObject({
  version: z.string(),
  id: z.string().min(1).max(10_000),
  isExcluded: z.boolean().optional(),
  rename: z.string().trim().max(1_000).optional(),
  type: z.enum(['', 'private', 'public']).optional(),
  by: byName,
});

export const choiceAnswers = (parts: Parts): AnswersTo<ChoiceRoutes> => ({
  'GET choices': () => view(parts),
  'POST choice': (_, body) => choose(parts, checkedBody(choiceRequest, body)),
  'GET conversations': () => conversations(parts),
  'POST conversation': (_, body) => setConversation(parts, checkedBody(conversationRequest, body)),
});

async function view(parts: Parts): Promise<ChoicesView> {
  const version = readVersion(parts);
  return { version, rows: await parts.engine.call('choices', { mapping: parts.workspace.paths().mapping }) };
}

function choose(parts: Parts, { version, key, value, by }: z.output<typeof choiceRequest>): Promise<ChoicesView> {
  if (!findChoice(key)) throw new BadRequest('There is no such choice');
  return changeFiles(parts, version, async () => {
    const { workspace, engine } = parts;
    const { store, mapping } = workspace.paths();
    // Before anything is changed: a decision that cannot be noted is not made.
    readDecisions(store);
    const before = (await engine.call('choices', { mapping })).find((one) => one.key === key)?.value ?? null;
    await engine.call('choose', { facts: peopleFacts(workspace), key, value });
    addDecisions(store, [{ key, answer: value === '' ? 'the default' : value, before, by, atMs: parts.now() }]);
    return await view(parts);
  });
}

async function conversations({ workspace, engine, changes }: Parts): Promise<ConversationsView> {
  const version = readVersion({ workspace, changes });
  const report = workspace.report('plan');
  if (report === null) return { version, isReady: false, rows: [], count: 0 };
  const rules = await engine.call('conversationRules', { mapping: workspace.paths().mapping });
  const rows = report.conversations.map(({ id, name, target, read, planned, firstAtMs, lastAtMs }) => ({
    ...{ id, name, read, planned, firstAtMs, lastAtMs },
    isGroup: target.startsWith('group '),
    isExcluded: rules.exclude.includes(id) || rules.exclude.includes(name),
    rename: rules.rename[id] ?? '',
    type: rules.types[id] ?? ('' as const),
  }));
  return { version, isReady: true, rows, count: report.conversationCount };
}

function setConversation(
  parts: Parts,
  { version, by, ...change }: z.output<typeof conversationRequest>,
): Promise<ConversationsView> {
  return changeFiles(parts, version, async () => {
    const { workspace, engine, now } = parts;
    const before = (await conversations(parts)).rows.find(({ id }) => id === change.id);
    if (before === undefined) throw new UsageError(`There is no conversation "${change.id}" in the plan`);
    const { store } = workspace.paths();
    readDecisions(store);
    await engine.call('setConversation', { facts: peopleFacts(workspace), change: { ...change, name: before.name } });
    const { id, isExcluded, rename, type } = change;
    const noted = (key: string, answer: string, earlier: string) =>
      ({ key: dotted(['conversations', key, id]), answer, before: earlier, by, atMs: now() }) as const;
    addDecisions(store, [
      ...(isExcluded === undefined
        ? []
        : [noted('exclude', isExcluded ? 'left out' : 'sent', before.isExcluded ? 'left out' : 'sent')]),
      ...(rename === undefined
        ? []
        : [noted('rename', rename || 'as in the export', before.rename || 'as in the export')]),
      ...(type === undefined ? [] : [noted('types', type || 'as all groups', before.type || 'as all groups')]),
    ]);
    return await conversations(parts);
  });
}
