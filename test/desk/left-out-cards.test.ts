import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findCheck, leftOutByDefault } from '../../src/mapping/checks.ts';
import { defaultRules } from '../../src/mapping/rules.ts';
import { keyPath, valueAt } from '../../src/lib/settings.ts';
import { reportDataSchema } from '../../src/report/report-data.ts';
import { run } from '../cli/in-process.ts';
import { temporaryFolder } from '../scenes/temporary-folder.ts';
import { decidingScene, sampleExport, settingsOf } from './deciding-scene.ts';

const home = temporaryFolder();

async function planned(sample: string) {
  const folder = home.make();
  const path = sampleExport(sample);
  const plan = async (...more: readonly string[]) => {
    expect((await run(['plan', path, ...more], { folder })).code).toBe(0);
    return reportDataSchema.parse(JSON.parse(readFileSync(join(folder, 'chatferry.report', 'report.json'), 'utf8')));
  };
  return { plan, report: await plan(), scene: await decidingScene(folder, path) };
}

const samples = [
  ['system-lines', 'irc/irssi', /^system message/],
  ['internal-messages', 'helpscout/answers', /^internal /],
  ['calls', 'teams/personal', /^call$/],
  ['deleted-messages', 'slack/every-feature', /^deleted at the source$/],
] as const;

describe('cards of messages that are left out by default', () => {
  it('are one for each key of messages that says "skip" and could say "keep"', () => {
    const keys = Object.entries(defaultRules().messages).flatMap(([name, value]) =>
      value === 'skip' && name !== 'old' ? [`messages.${name}`] : [],
    );
    expect(leftOutByDefault.map(({ key }) => key).toSorted()).toEqual(keys.toSorted());
    expect(leftOutByDefault.filter(({ code }) => findCheck(code) !== undefined)).toEqual([]);
    expect(samples.map(([code]) => code)).toEqual(leftOutByDefault.map(({ code }) => code));
  });

  it.each(samples)(
    'offer %s of %s, count them as the report does, and wait for nothing',
    async (code, sample, rule) => {
      const { plan, report, scene } = await planned(sample);
      const count = report.skipped.reduce((sum, group) => (rule.test(group.code) ? sum + group.count : sum), 0);
      expect(count).toBeGreaterThan(0);
      const id = code;
      const card = async () => (await scene.cards()).find((one) => one.id === id);
      expect(await card()).toMatchObject({ isOptional: true, about: { count, of: 'messages' }, answer: null });
      expect((await scene.open()).map((one) => one.id)).not.toContain(id);

      const verdicts = async (answer: number) => (await scene.preview(id, answer)).rows.map(({ verdict }) => verdict);
      const rows = Math.min(count, 3);
      for (const answer of [-1, 0])
        expect(await verdicts(answer)).toEqual(Array.from({ length: rows }, () => 'skipped'));
      const kept = await verdicts(1);
      expect(kept).toHaveLength(rows);
      expect(kept).toContain('sent');
      const isForFew = ['internal-messages', 'deleted-messages'].includes(code);
      for (const { row, message, verdict } of (await scene.preview(id, 1)).rows) {
        expect(row === null).toBe(isForFew);
        if (verdict === 'sent') expect(new Map(message).get('text') === 'not shown: few may read it').toBe(isForFew);
      }

      const { key } = leftOutByDefault.find((kind) => kind.code === code)!;
      const made = await scene.answer(id, [1]);
      const { question, options } = (await card())!;
      const about = `${question} ${options[1]!.does}`;
      expect(made).toEqual({
        says: options[1]!.does,
        decisions: [{ key, answer: 'keep', before: 'skip', about }],
        sets: [`${key}=keep`],
      });
      const after = await plan('--mapping', 'chatferry.mapping.yaml');
      expect(after.skipped.filter((group) => rule.test(group.code))).toEqual([]);
      // The same rows are there for another decision.
      expect(await verdicts(1)).toEqual(kept);
      const answer = { option: 1, value: 'keep', by: 'Ana', holds: true };
      const sent = after.totals.planned - report.totals.planned;
      expect(await card()).toMatchObject({ answer, about: { count: sent } });
      expect(
        (await scene.cards()).filter((one) => one.options.flatMap(settingsOf).includes(`${key}=keep`)),
      ).toHaveLength(1);

      await scene.answer(id, [0]);
      expect(await card()).toMatchObject({ answer: { option: 0, value: 'skip', by: 'Ana', holds: true } });
      expect(valueAt(defaultRules(), keyPath(key))).toBe('skip');
    },
  );
});
