import { code, number, quote, table } from './elements.ts';

type Counts = Readonly<Record<string, number>>;

interface OutcomesOptions<Kind extends string> {
  readonly id: string;
  readonly caption: string;
  /** Head of the first column. */
  readonly title: string;
  /** In the order in which they are shown. */
  readonly kinds: readonly Kind[];
  readonly columns: readonly (readonly [title: string, key: string])[];
}

/** A row of counts for each kind that has any. */
export function outcomes<Kind extends string>(
  counts: Readonly<Partial<Record<Kind, Counts>>>,
  { id, caption, title, kinds, columns }: OutcomesOptions<Kind>,
) {
  return table({
    ...{ id, caption, isCaptionHidden: true },
    rows: kinds.filter((kind) => counts[kind] !== undefined),
    columns: [
      { title, cell: (kind) => kind },
      ...columns.map(
        ([of, key]) => ({ title: of, kind: 'number', cell: (kind: Kind) => number(counts[kind]![key]!) }) as const,
      ),
    ],
  });
}

interface Refused {
  readonly kind: string;
  readonly code: string;
  readonly count: number;
  readonly explanation: string;
  readonly detail: string;
}

export const refusals = (id: string, title: string, refused: readonly Refused[]) =>
  table({
    id,
    caption: 'Failed: refused by the service',
    rows: refused,
    columns: [
      { title: 'Code', cell: (row) => code(row.code) },
      { title, cell: ({ kind }) => kind },
      { title: 'Count', kind: 'number', cell: ({ count }) => number(count) },
      { title: 'Meaning', cell: ({ explanation }) => explanation },
      { title: 'The words of the service', cell: ({ detail }) => quote(detail) },
    ],
  });
