import { createHmac } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { noticeReasons } from '../../src/sync/config/webhook.ts';
import { systemClock } from '../../src/lib/flow/clock.ts';
import { openLog, runEndFields } from '../../src/sync/serve/log.ts';
import { fleetSchema } from '../../src/sync/shared-settings.ts';
import { createFleetMetrics } from '../../src/fleet/watch/metrics.ts';
import { createMetrics } from '../../src/sync/serve/metrics.ts';
import { failedResult } from '../sync/job-result.ts';
import { parseMetrics } from '../sync/prometheus-text.ts';
import { temporaryFolder } from '../scenes/temporary-folder.ts';
import { readTracked } from './tracked-files.ts';

const { path: folder } = temporaryFolder();
const page = readTracked('docs/guides/operate/monitoring.md');
const blocks = (language: string) =>
  [...page.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, 'gm'))].map(([, text]) => text!);

const families = parseMetrics(await createMetrics(systemClock).render());

const fleetPage = readTracked('docs/guides/operate/fleet.md');
const somewhere = { address: 'https://chat.example.com', unit: 'acme/slack' };
const fleetMetrics = createFleetMetrics(systemClock, async () => ({
  units: [{ tenant: 'acme', state: 'done', count: 1 }],
  addresses: [{ ...somewhere, used: 1, quota: 60 }],
}));
const fleetFamilies = parseMetrics(await fleetMetrics.render());

/** Rows of a page: names of metrics, each with its type. */
const rowsOf = (text: string) =>
  [...text.matchAll(/^\| `((?:chatferry|process)_\w+)` \| (\w+) \|/gm)].map(([, name, type]) => [name, type]).sort();
const typesOf = (those: typeof families) => those.map(({ name, type }) => [name, type.toLowerCase()]).sort();

describe('docs/guides/operate/monitoring.md', () => {
  it('has a row for every metric, with its type, and for no other', () => {
    expect(rowsOf(page)).toEqual(typesOf(families));
  });

  it('has a row for every reason of a notice', () => {
    expect(noticeReasons.filter((reason) => !page.includes(`| \`${reason}\` |`))).toEqual([]);
  });

  it('has a row for every phrase of the log, with its level', async () => {
    const file = join(folder, 'sync.log');
    const log = openLog({ level: 'debug', file }, { clock: systemClock, processId: 'p', secrets: [] });
    log.started!(['support']);
    log.scheduled!('support', 0);
    log.runStarted!('support', { number: 1, startedAtMs: 0, cause: 'once' });
    log.runProgress!('support', 1, { done: 1 });
    log.runEnded!(failedResult());
    log.stopping!('SIGTERM');
    await log.close!();
    const lines = readFileSync(file, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines).toHaveLength(6);
    const isNamed = ({ msg, level }: { msg: string; level: string }) =>
      page.split('\n').some((row) => row.startsWith('|') && row.includes(`\`${msg}\``) && row.includes(level));
    expect(lines.filter((line) => !isNamed(line))).toEqual([]);
  });

  it('shows a notice as it is sent', () => {
    const [example] = blocks('json').map((text) => JSON.parse(text));
    const result = failedResult({ report: 'reports/support/12' });
    expect(example).toEqual({
      ...{ reasons: ['failure'], endedAt: '2026-11-21T12:00:04.500Z', failuresInARow: 2 },
      ...runEndFields({ ...result, requests: { ...result.requests, import: 0, list: 1 } }),
    });
  });
});

describe('docs/guides/operate/fleet.md', () => {
  it('has a row for every metric, with its type, and for no other', () => {
    expect(rowsOf(fleetPage)).toEqual(typesOf(fleetFamilies));
  });

  it('has a row for every key of fleet:', () => {
    const rows = fleetPage.split('\n').filter((line) => line.startsWith('| `'));
    const firsts = rows.flatMap((line) => line.split('|')[1]!.match(/\w+/g) ?? []);
    expect(Object.keys(fleetSchema.shape).filter((key) => !firsts.includes(key))).toEqual([]);
  });
});

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly annotations: { readonly summary: string };
}

describe.each([
  { path: 'docs/guides/operate/alerts.yaml', known: families },
  { path: 'docs/guides/operate/fleet/alerts.yaml', known: fleetFamilies },
])('$path', ({ path, known }) => {
  const rules: readonly Rule[] = parse(readTracked(path)).groups.flatMap(
    (group: { rules: readonly Rule[] }) => group.rules,
  );
  const names = known.flatMap(({ name, type }) => (type === 'HISTOGRAM' ? [name, `${name}_bucket`] : [name]));

  it.each(rules)('asks for metrics that there are: $alert', ({ expr, annotations }) => {
    const asked = expr.match(/\b(?:chatferry|process)_\w+/g) ?? [];
    expect(asked.filter((name) => !names.includes(name))).toEqual([]);
    expect(asked.length > 0 || expr.includes('up{')).toBe(true);
    expect(annotations.summary.length).toBeGreaterThan(10);
  });
});

describe('the receiver in docs/guides/operate/monitoring.md', async () => {
  const file = join(folder, 'receiver.mjs');
  writeFileSync(file, blocks('js')[0]!);
  const { isFromChatferry } = (await import(pathToFileURL(file).href)) as {
    isFromChatferry(body: Buffer | string, header: string | undefined, secret: string, nowMs?: number): boolean;
  };

  const secret = 'a secret of the webhook';
  const endedAtMs = Date.parse('2026-11-21T12:00:00Z');
  const body = '{"job":"Bücher","endedAt":"2026-11-21T12:00:00.000Z"}';
  const signed = (key: string) => `sha256=${createHmac('sha256', key).update(body).digest('hex')}`;

  it('takes a signed notice, as text or bytes, for five minutes', () => {
    expect(isFromChatferry(Buffer.from(body), signed(secret), secret, endedAtMs)).toBe(true);
    expect(isFromChatferry(body, signed(secret), secret, endedAtMs + 299_000)).toBe(true);
  });

  it.each<[string, string, string | undefined, number]>([
    ['another secret', body, signed('another secret'), 0],
    ['another body', `${body} `, signed(secret), 0],
    ['a recorded notice, ten minutes later', body, signed(secret), 600_000],
    ['half a signature', body, signed(secret).slice(0, -2), 0],
    ['a signature without its name', body, signed(secret).slice('sha256='.length), 0],
    ['no header', body, undefined, 0],
  ])('refuses %s', (_, given, signature, laterMs) => {
    expect(isFromChatferry(given, signature, secret, endedAtMs + laterMs)).toBe(false);
  });
});
