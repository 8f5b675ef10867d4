import type { TakenName } from '../../checkpoint/staging/taken-names.ts';
import { sha256Base32 } from '../../lib/hash.ts';
import type { Query } from './database.ts';

/** Names of one statement. */
const pageSize = 5_000;

/** Names of a part that another part has for somebody else. */
export interface NameCollisions {
  readonly count: number;
  /** Units that have them. */
  readonly units: readonly string[];
}

/**
 * Writes down which names a part of an export takes at the destination, in place of those that it took before. They are written as digests: an id at
 * the source may be a person's name.
 */
export async function takeNames(
  query: Query,
  unit: { readonly id: string; readonly export: string },
  names: Iterable<TakenName>,
): Promise<NameCollisions> {
  await query('DELETE FROM ferry.name_taken WHERE unit = $1', [unit.id]);
  const units = new Set<string>();
  let count = 0;
  for (const page of pagesOf(names)) {
    const columns = [
      page.map(({ kind }) => kind),
      page.map(({ id }) => digest(id)),
      page.map(({ sourceId }) => digest(sourceId)),
    ];
    await query(
      `INSERT INTO ferry.name_taken (export, kind, id, source_id, unit)
       SELECT $1, t.kind, t.id, t.source_id, $2 FROM unnest($3::text[], $4::text[], $5::text[]) AS t (kind, id, source_id)
       ON CONFLICT (export, kind, id) DO NOTHING`,
      [unit.export, unit.id, ...columns],
    );
    const taken = await query<{ unit: string }>(
      `SELECT n.unit FROM unnest($2::text[], $3::text[], $4::text[]) AS t (kind, id, source_id)
       JOIN ferry.name_taken n ON n.export = $1 AND n.kind = t.kind AND n.id = t.id AND n.source_id <> t.source_id`,
      [unit.export, ...columns],
    );
    count += taken.length;
    for (const { unit: other } of taken) units.add(other);
  }
  return { count, units: [...units].sort() };
}

const digest = (text: string): string => sha256Base32(text, 32);

function* pagesOf(names: Iterable<TakenName>): Generator<readonly TakenName[]> {
  let page: TakenName[] = [];
  for (const name of names) {
    page.push(name);
    if (page.length < pageSize) continue;
    yield page;
    page = [];
  }
  if (page.length > 0) yield page;
}
