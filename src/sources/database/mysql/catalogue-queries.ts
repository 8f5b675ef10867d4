/**
 * Questions to the information schema of MySQL (from 5.7 on) and MariaDB (from 10.3 on), which lists nothing that the role has no right to.
 * https://dev.mysql.com/doc/refman/8.4/en/information-schema.html, 2026-11
 */

/** Version of the server, and the database of the connection. One row. */
export const serverSql = 'SELECT VERSION(), DATABASE()';

/** No sequences and no temporary tables. */
export const tablesSql = `
  SELECT table_name, table_type, engine, table_rows FROM information_schema.tables
  WHERE table_schema = DATABASE() AND table_type IN ('BASE TABLE', 'SYSTEM VERSIONED', 'VIEW')`;

/** The columns that the role may read. */
export const columnsSql = `
  SELECT table_name, column_name, data_type, column_type, character_set_name, collation_name, column_comment
  FROM information_schema.columns
  WHERE table_schema = DATABASE() AND CONCAT(',', privileges, ',') LIKE '%select,%'
  ORDER BY table_name, ordinal_position`;

/** Columns of unique keys. A column of which only the beginning is in the key has a length, an expression has no name. */
export const indexesSql = `
  SELECT table_name, index_name, column_name, nullable, sub_part, index_type FROM information_schema.statistics
  WHERE table_schema = DATABASE() AND non_unique = 0
  ORDER BY table_name, index_name, seq_in_index`;

export const foreignKeysSql = `
  SELECT table_name, constraint_name, column_name, referenced_table_name, referenced_column_name
  FROM information_schema.key_column_usage
  WHERE table_schema = DATABASE() AND referenced_table_schema = DATABASE()
  ORDER BY table_name, constraint_name, ordinal_position`;

export const grantsSql = 'SHOW GRANTS';
