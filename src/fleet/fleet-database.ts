import type { FleetCheck } from './watch/metrics.ts';
import type { Query } from './database/database.ts';

/** Reads the facts about the whole fleet that only the database has, for the metrics of a worker. */
export async function checkFleet(query: Query): Promise<FleetCheck> {
  const units = await query<FleetCheck['units'][number]>(
    'SELECT tenant, state, count(*)::int AS count FROM ferry.unit GROUP BY 1, 2 ORDER BY 1, 2',
  );
  const addresses = await query<FleetCheck['addresses'][number]>(
    `SELECT u.address, coalesce(max(u.quota), 0) AS quota, coalesce(max(i.count), 0)::int AS used FROM ferry.unit u LEFT JOIN (
       SELECT x.address, count(*) AS count FROM ferry.intent n JOIN ferry.unit x ON x.id = n.unit
       WHERE n.left_at > clock_timestamp() - interval '1 minute' AND cardinality(n.muids) > 0 GROUP BY 1) i ON i.address = u.address
     GROUP BY 1 ORDER BY 1`,
  );
  return { units, addresses };
}

/** Whether anybody works. @param heartbeatMs Who is silent for longer does not. */
export async function hasWorkers(query: Query, heartbeatMs: number): Promise<boolean> {
  const rows = await query(
    `SELECT 1 FROM ferry.worker WHERE seen > clock_timestamp() - $1::float8 * interval '1 ms' LIMIT 1`,
    [heartbeatMs],
  );
  return rows.length > 0;
}
