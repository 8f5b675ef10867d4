import { describe, expect, test } from 'vitest';
import { layoutTables, size } from '../../src/desk/page/graph-places.ts';

const table = (name: string, role: string | null) => ({ name, role, rows: null, columns: 1, why: null });
const link = (from: string, to: string) => ({ from, column: 'id', to, key: 'id', isDeclared: true });

describe('layoutTables()', () => {
  const roles = ['members', 'messages', 'users', 'conversations', 'reactions', 'attachments'];
  const others = Array.from({ length: 100 }, (_, index) => `t${index}`);
  const tables = [...roles.map((role) => table(role, role)), ...others.map((name) => table(name, null))];

  test('places tables that are read and at most 40 in all, none upon another, and all inside', () => {
    const { places, height } = layoutTables({ tables, links: others.map((name) => link(name, 'users')) });
    expect(places.size).toBe(40);
    expect([...places.keys()]).toEqual(expect.arrayContaining(roles));
    const all = [...places.values()];
    for (const [index, { x, y }] of all.entries()) {
      expect(x - size.nodeWidth / 2).toBeGreaterThanOrEqual(0);
      expect(x + size.nodeWidth / 2).toBeLessThanOrEqual(size.width);
      expect(y - size.nodeHeight / 2).toBeGreaterThanOrEqual(0);
      expect(y + size.nodeHeight / 2).toBeLessThanOrEqual(height);
      for (const other of all.slice(index + 1))
        expect(Math.abs(other.x - x) >= size.nodeWidth || Math.abs(other.y - y) >= size.nodeHeight).toBe(true);
    }
  });

  test('leaves out tables that no key leads to', () => {
    const { places } = layoutTables({ tables, links: [link('messages', 't7')] });
    expect([...places.keys()].filter((name) => !roles.includes(name))).toEqual(['t7']);
  });
});
