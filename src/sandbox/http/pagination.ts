interface Standing {
  /** Of all pages. */
  readonly total: number;
  /** On this page. */
  readonly count: number;
  readonly perPage: number;
  /** From 1. */
  readonly page: number;
}

/** `meta.pagination`, as lists in numbered pages have it. */
export const paginationOf = ({ total, count, perPage, page }: Standing) => ({
  total,
  count,
  per_page: perPage,
  current_page: page,
  total_pages: Math.ceil(total / perPage),
});
