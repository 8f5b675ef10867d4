/** Whose words a dump is written in: decides about quotes, escapes and comments. */
export type Dialect = 'postgres' | 'mysql' | 'sqlite';

/** Settings made by the statements of a dump so far. They apply to everything after them. */
export interface DumpSettings {
  /** Name of the character set, as the dump writes it: `UTF8`, `utf8mb4`, `LATIN1`. */
  readonly charset: string;
  /** Whether a backslash in a plain string begins an escape. */
  readonly isEscaping: boolean;
  /** Offset of the time zone in which values of MySQL's type TIMESTAMP are written: `+00:00`. Empty if the dump does not state it. */
  readonly zone: string;
}

export const defaultSettings = (dialect: Dialect): DumpSettings => ({
  charset: dialect === 'mysql' ? 'utf8mb4' : 'utf8',
  isEscaping: dialect === 'mysql',
  zone: '',
});
