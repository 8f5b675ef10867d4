import type { Query } from './schema/bindings.ts';

/** Tables whose rows belong to messages. */
export const childRoles = ['attachments', 'reactions', 'edits'] as const;
export type ChildRole = (typeof childRoles)[number];

/** All tables but that of messages, in the order in which they are read. */
export const sharedRoles = ['users', 'members', 'conversations', ...childRoles] as const;
export type SharedRole = (typeof sharedRoles)[number];

/** Role of the rows of a table. */
export type Role = 'messages' | SharedRole;

/** Whether a section of a mapping binds the columns of a table. */
export const isRole = (section: string): section is Role =>
  section === 'messages' || sharedRoles.some((role) => role === section);

/** The `tables` of a mapping: for each kind of row a file, or a query. */
export type Tables<T> = Readonly<{ [Of in Role]?: T | Query | undefined }> & {
  /** Patterns of files that stay behind. */
  readonly ignored?: readonly string[] | undefined;
};

export const isQuery = (table: object | undefined): table is Query => table !== undefined && 'query' in table;

/** The queries of a mapping, by what their rows are. */
export const listQueries = (tables: Tables<object> | undefined): readonly (readonly [Role, string])[] =>
  (['messages', ...sharedRoles] as const).flatMap((role) => {
    const table = tables?.[role];
    return isQuery(table) ? [[role, table.query] as const] : [];
  });

/** Those of the mapping's tables that are no queries. */
export const tablesOfFiles = <T extends object>(tables: Tables<T> | undefined): readonly T[] =>
  (['messages', ...sharedRoles] as const)
    .map((role) => tables?.[role])
    .filter((table): table is T => table !== undefined && !isQuery(table));

/** Under which path the rows of a query are read: no file of an export. */
export const queryPath = (role: Role): string => `query of ${role}`;

/** Under which paths the rows of a mapping's queries are read. */
export const listQueryPaths = ({ tables }: { readonly tables?: Tables<object> | undefined }): readonly string[] =>
  listQueries(tables).map(([role]) => queryPath(role));
