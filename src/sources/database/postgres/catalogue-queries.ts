/**
 * Questions to PostgreSQL's own tables, for versions from 12 on. They are asked while names are looked up in the server's own schema alone.
 * https://www.postgresql.org/docs/current/catalogs.html, 2026-11
 */

/** Selects tables and views of users. Leaves out partitions, tables of extensions, and materialised views that were never filled. */
const isListed = `
  c.relkind IN ('r', 'p', 'f', 'v', 'm') AND NOT c.relispartition AND c.relispopulated
  AND n.nspname <> 'information_schema' AND n.nspname NOT LIKE 'pg\\_%'
  AND NOT EXISTS (
    SELECT FROM pg_catalog.pg_depend d
    WHERE d.classid = 'pg_catalog.pg_class'::pg_catalog.regclass AND d.objid = c.oid AND d.deptype = 'e'
  )`;

/** The role, and what it is at large. One row. */
export const roleSql = `
  SELECT current_user, rolsuper, pg_catalog.current_setting('server_encoding')
  FROM pg_catalog.pg_roles WHERE rolname = current_user`;

/**
 * The estimate for a partitioned table is the sum over its partitions. Before version 14, 0 can also mean that the rows
 * were never counted.
 */
export const tablesSql = `
  WITH RECURSIVE part (root, oid) AS (
    SELECT oid, oid FROM pg_catalog.pg_class WHERE relkind = 'p' AND NOT relispartition
    UNION ALL
    SELECT part.root, i.inhrelid FROM part JOIN pg_catalog.pg_inherits i ON i.inhparent = part.oid
  ), parts (root, tuples) AS (
    SELECT part.root, sum(p.reltuples) FILTER (WHERE p.reltuples > 0)
    FROM part JOIN pg_catalog.pg_class p ON p.oid = part.oid WHERE p.relkind <> 'p' GROUP BY part.root
  )
  SELECT
    c.oid, n.nspname, c.relname, c.relkind IN ('v', 'm'),
    (CASE WHEN c.relkind = 'p' THEN parts.tuples WHEN c.relkind <> 'v' AND (c.reltuples > 0 OR c.relpages > 0) THEN nullif(c.reltuples, -1) END)::pg_catalog.int8,
    pg_catalog.has_schema_privilege(n.oid, 'USAGE'),
    pg_catalog.has_table_privilege(c.oid, 'INSERT, UPDATE, DELETE, TRUNCATE'),
    pg_catalog.row_security_active(c.oid)
  FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace LEFT JOIN parts ON parts.root = c.oid
  WHERE ${isListed}
  ORDER BY n.nspname, c.relname`;

/** A domain counts as what it is made of, and may be made of another one. */
export const columnsSql = `
  WITH RECURSIVE base (type, oid) AS (
    SELECT oid, oid FROM pg_catalog.pg_type WHERE typtype <> 'd'
    UNION ALL
    SELECT t.oid, base.oid FROM pg_catalog.pg_type t JOIN base ON base.type = t.typbasetype WHERE t.typtype = 'd'
  )
  SELECT
    c.oid, a.attnum, a.attname, lower(pg_catalog.format_type(base.oid, NULL)),
    (SELECT pg_catalog.json_agg(e.enumlabel ORDER BY e.enumsortorder) FROM pg_catalog.pg_enum e WHERE e.enumtypid = base.oid),
    base.oid = 'pg_catalog.bytea'::pg_catalog.regtype,
    pg_catalog.has_column_privilege(c.oid, a.attnum, 'SELECT'), pg_catalog.col_description(c.oid, a.attnum)
  FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
    JOIN pg_catalog.pg_attribute a ON a.attrelid = c.oid JOIN base ON base.type = a.atttypid
  WHERE ${isListed} AND a.attnum > 0 AND NOT a.attisdropped
  ORDER BY c.oid, a.attnum`;

/** Primary and foreign keys: columns are numbers as in `attnum`. The key of a table does not bind the rows that it shows of tables that inherit from it. */
export const keysSql = `
  SELECT k.conrelid, k.contype, pg_catalog.array_to_json(k.conkey), k.confrelid, pg_catalog.array_to_json(k.confkey)
  FROM pg_catalog.pg_constraint k
  WHERE k.contype IN ('p', 'f') AND k.conparentid = 0
    AND NOT (k.contype = 'p' AND EXISTS (SELECT 1 FROM pg_catalog.pg_inherits i
      JOIN pg_catalog.pg_class c ON c.oid = i.inhparent WHERE i.inhparent = k.conrelid AND c.relkind = 'r'))
  ORDER BY k.conrelid, k.contype DESC, k.conkey, k.conname`;
