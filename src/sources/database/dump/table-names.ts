import { asColumn, type DatabaseTable, type ForeignKey } from '../database.ts';
import type { Dialect } from './dialect.ts';
import type { Catalogue, ScannedTable, TableName } from './scan/catalogue.ts';

/** A table as others see it, and where its rows are. */
export interface DescribedTable {
  readonly table: DatabaseTable;
  readonly scanned: ScannedTable;
}

/** Tables by name. Left out: partitions, what SQLite keeps for itself, and views, whose rows no dump has. */
export function describeTables(catalogue: Catalogue, dialect: Dialect): DescribedTable[] {
  const own = catalogue.tables.filter(({ isPartition, name }) => !isPartition && !isOfSqlite(name, dialect));
  const hasSeveral = new Set(own.map(({ name }) => name.database)).size > 1;
  const display = ({ database, schema, table }: TableName): string => {
    const parts = [hasSeveral ? database : '', schema === 'public' ? '' : schema, table];
    return parts.filter((part) => part !== '').join('.');
  };
  return own
    .map((scanned) => ({ scanned, table: describe(scanned, catalogue, display) }))
    .sort((a, b) => (a.table.name < b.table.name ? -1 : 1));
}

const isOfSqlite = ({ table }: TableName, dialect: Dialect): boolean => dialect === 'sqlite' && /^sqlite_/i.test(table);

function describe(scanned: ScannedTable, catalogue: Catalogue, display: (name: TableName) => string): DatabaseTable {
  const columns = scanned.columns.length > 0 ? scanned.columns : columnsOfData(scanned);
  const foreignKeys = scanned.foreignKeys.map(({ columns: from, table, references }): ForeignKey => {
    const target = catalogue.find(table);
    const to = references.length > 0 ? references : (target?.primaryKey ?? []);
    return { columns: from, table: display(target?.name ?? table), references: to };
  });
  return {
    name: display(scanned.name),
    columns: columns.filter(({ isGenerated }) => !isGenerated).map(asColumn),
    primaryKey: scanned.primaryKey,
    foreignKeys,
    isView: false,
    rowsAbout: scanned.allRows,
  };
}

/** A dump of data alone names columns before its rows. */
const columnsOfData = ({ sections }: ScannedTable): ScannedTable['columns'] =>
  (sections.find(({ form }) => form.columns)?.form.columns ?? []).map((name) => ({
    name,
    type: '',
    isGenerated: false,
  }));
