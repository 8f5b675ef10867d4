import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { renderHtml } from '../../src/report/html.ts';
import { renderMarkdown } from '../../src/report/markdown.ts';
import { renderSummary } from '../../src/report/terminal.ts';
import type { ReportData } from '../../src/report/report-data.ts';
import { trackedFiles } from '../repository/tracked-files.ts';
import { hugeImport, troubledImport } from './fixture.ts';

/** The report with no count below 10,000 in it, and every digit of them the same. */
function large(data: ReportData): ReportData {
  const json = JSON.stringify(data, (key, value: unknown) =>
    typeof value === 'number' && !/Ms$|^version$|[mM]inute/.test(key) ? 7_777_777 : value,
  );
  return JSON.parse(json);
}

const actions = { planned: 1, done: 1, existing: 1, failed: 1, pending: 1, unconfirmed: 1, withdrawn: 1 };
const whole: ReportData = {
  ...troubledImport(),
  actions: {
    kinds: { reactions: actions },
    failed: [{ kind: 'reactions', code: 'ERR', count: 1, explanation: '', detail: '' }],
    forecast: { requests: 1, minutes: 1 },
  },
  drift: {
    kinds: { edited: 1 },
    noticed: { edited: 1 },
    changes: [{ kind: 'edited', policy: 'report', count: 1, examples: [] }],
  },
  followUps: { planned: 1, imported: 1, existing: 1, failed: 1, pending: 1, unconfirmed: 1 },
  requests: { import: 1, list: 1, retried: 1, rateLimited: 1, action: 1 },
  unverified: { sinceMs: 1, conversations: 1, differing: true },
  differingConversations: [
    { id: 'c', name: 'c', same: 1, missing: 1, extra: 1, different: 1, duplicated: 1, foreign: 1 },
  ],
};

describe('counts', () => {
  const look = { columns: 400, color: false };
  const renderers = [
    ['terminal', (data: ReportData) => renderSummary(data, look)],
    ['HTML', renderHtml],
    ['Markdown', renderMarkdown],
  ] as const;

  it.each(renderers)('have thousands separators everywhere: %s', (_, render) => {
    for (const data of [whole, { ...whole, command: 'plan' }, { ...hugeImport(), verify: null }]) {
      const text = render(large(data));
      expect(text).toContain('7,777,777');
      expect(text.match(/.{0,60}\d{7}.{0,20}/g)?.filter((found) => found.includes('7777777')) ?? []).toEqual([]);
    }
  });

  it('are written by one function', () => {
    const others = trackedFiles()
      .filter((path) => /^src\/.*\.ts$/.test(path) && path !== 'src/lib/text/count.ts')
      .filter((path) => /toLocaleString\(|Intl\.NumberFormat/.test(readFileSync(path, 'utf8')));
    expect(others).toEqual([]);
  });

  it('are never unformatted in the text of a check', () => {
    const bare = trackedFiles()
      .filter((path) => /^src\/mapping\/checks\/.*\.ts$/.test(path))
      .flatMap(
        (path) =>
          readFileSync(path, 'utf8').match(/\$\{(?:\w+[.!?]+)*(?:count|length|size|bytes|days|total|more|others)\}/g) ??
          [],
      );
    expect(bare).toEqual([]);
  });
});
