import { Table } from './queries.ts';

export interface RestrictedFeature {
  readonly key: string;
  readonly title: string;
  readonly description: string;
  readonly path: string;
  readonly createdAt: number;
}

interface Page {
  readonly offset: number;
  readonly count: number;
}

/** The role of users who were given none. It is there from the beginning. */
export const defaultRole = 'default';

/** The roles and what their users may not do. */
export class Roles extends Table {
  has(role: string): boolean {
    return this.db.has('SELECT 1 FROM role WHERE name = ?', role);
  }

  add(role: string): void {
    this.db.run('INSERT OR IGNORE INTO role (name) VALUES (?)', role);
  }

  /** Deletes a role with its restrictions. `People` takes care of its users. */
  delete(role: string): void {
    this.db.run('DELETE FROM role WHERE name = ?', role);
  }

  restrict(role: string, { key, title, description, path, createdAt }: RestrictedFeature): void {
    const insert = `INSERT OR IGNORE INTO restricted_feature (role, key, title, description, path, created_at)
      VALUES (?, ?, ?, ?, ?, ?)`;
    this.db.run(insert, role, key, title, description, path, createdAt);
  }

  /** By key. */
  restrictedFeatures(role: string, { offset, count }: Page): RestrictedFeature[] {
    const select = `SELECT key, title, description, path, created_at AS createdAt FROM restricted_feature WHERE role = ?
      ORDER BY key LIMIT ? OFFSET ?`;
    return this.db.rows(select, role, count, offset);
  }

  restrictedFeatureCount(role: string): number {
    return this.db.value<number>('SELECT count(*) FROM restricted_feature WHERE role = ?', role) ?? 0;
  }

  allow(role: string, key: string): void {
    this.db.run('DELETE FROM restricted_feature WHERE role = ? AND key = ?', role, key);
  }

  allowAll(role: string): void {
    this.db.run('DELETE FROM restricted_feature WHERE role = ?', role);
  }
}
