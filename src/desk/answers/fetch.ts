import { z } from 'zod';
import { loadProvider, providerNames, resolveSettings } from '../../fetch/load-recipe.ts';
import { exitCodes } from '../../model/exit-codes.ts';
import { commandLine } from '../runs/command-lines.ts';
import type { FetchRoutes, Provider } from '../shapes.ts';
import { choose, untilIdle } from './chosen-export.ts';
import { checkedBody } from './faults.ts';
import type { Parts } from './parts.ts';
import type { AnswersTo } from './routes.ts';

/** `chatferry fetch` looks for the key of a provider there. */
const keyVariable = 'CHATFERRY_FROM_KEY';

/** The error never holds what was sent. */
const fetchRequest = z.strictObject({
  version: z.string(),
  provider: z.string().max(100),
  settings: z.record(z.string(), z.string().max(2_000)),
  key: z
    .string()
    .min(1)
    .max(10_000)
    .refine((text) => !text.includes('\0'), 'has a character that no key can have'),
});

/** Answers with which the user fetches an export from a provider. */
export const fetchAnswers = (parts: Parts): AnswersTo<FetchRoutes> => ({
  'GET providers': () => providerNames().map(describeProvider),
  'POST fetch': (_, body) => {
    const { version, ...wanted } = checkedBody(fetchRequest, body);
    return parts.workspace.change(version, async () => {
      await untilIdle(parts);
      return startFetch(parts, wanted);
    });
  },
});

function describeProvider(name: string): Provider {
  const { title, key, unverified = null, settings } = loadProvider(name).recipe;
  const asked = Object.entries(settings).map(([id, { what, default: usual = '' }]) => ({ id, what, usual }));
  return { name, title, key: key.what, unverified, settings: asked };
}

/**
 * Fetches in a process of its own. The key is in a variable of this process until it has ended, and nowhere else; then the folder is the
 * export.
 */
function startFetch(parts: Parts, { provider, settings, key }: Omit<z.output<typeof fetchRequest>, 'version'>) {
  const { runner, workspace, env, setVariable } = parts;
  const given = Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== ''));
  resolveSettings(loadProvider(provider), given);
  const out = `./chatferry-fetched-${provider}`;
  const line = commandLine('fetch', parts.facts(), { fetch: { provider, settings: given, out } });
  const before = env[keyVariable];
  setVariable(keyVariable, key);
  const run = runner.start('fetch', line);
  void runner.ended.then(() => {
    setVariable(keyVariable, before);
    const { kind, outcome, exit } = runner.now() ?? {};
    if (kind !== 'fetch' || outcome !== 'Done' || exit === exitCodes.stopped) return undefined;
    return workspace.inTurn(async () => choose(parts, out));
  });
  return run;
}
