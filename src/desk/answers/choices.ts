import { z } from 'zod';
import { addDecisions, readDecisions } from '../../report/decision-log.ts';
import { findChoice } from '../engine/choice-calls.ts';
import { peopleFacts } from '../engine/people-calls.ts';
import type { ChoiceRoutes, ChoicesView } from '../shapes.ts';
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

export const choiceAnswers = (parts: Parts): AnswersTo<ChoiceRoutes> => ({
  'GET choices': () => view(parts),
  'POST choice': (_, body) => choose(parts, checkedBody(choiceRequest, body)),
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
