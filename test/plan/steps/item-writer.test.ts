import { describe, expect, it } from 'vitest';
import { ItemWriter } from '../../../src/plan/steps/item-writer.ts';
import { openTestStore } from '../../store/fixture.ts';

const closed = (path: string, fingerprint: string) =>
  ({ type: 'file', path, role: 'rows', stat: { sizeBytes: 3, fingerprint } }) as const;
const problem = (place: string) =>
  ({ type: 'problem', path: 'a.json', code: 'unknown-file', reason: 'It is odd', place, count: 1 }) as const;

describe('ItemWriter', () => {
  it.each(['first', 'second'])('leaves a closed file closed if something is said of it later, in a %s plan', (plan) => {
    const store = openTestStore();
    const unchanged = { onChangedAfterSending() {}, onBack() {}, areRulesSame: true };
    const read = (fingerprint: string, isFirst: boolean) => {
      const writer = new ItemWriter(store, isFirst ? store.messages.append() : store.messages.merge(unchanged));
      writer.beginInput('/export');
      writer.write(problem('a.json:1'));
      writer.closeFile(closed('a.json', fingerprint));
      writer.closeFile(closed('b.json', fingerprint));
      writer.write(problem('a.json:2'));
      writer.beforeCommit();
      writer.write(problem('a.json:3'));
      writer.beforeCommit();
    };
    read('one', true);
    if (plan === 'second') read('two', false);
    const fingerprint = plan === 'second' ? 'two' : 'one';
    expect([...store.files.openInput('/export').all()]).toEqual([
      { id: 1, path: 'a.json', role: 'rows', fingerprint },
      { id: 2, path: 'b.json', role: 'rows', fingerprint },
    ]);
    expect(store.totals.findings.locations('unknown-file', 9)).toEqual(['a.json:1', 'a.json:2', 'a.json:3']);
  });
});
