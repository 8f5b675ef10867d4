/** A declared type in lower case, without a length: `varchar` of `VARCHAR(255)`, `bigint unsigned` of `BIGINT(20) UNSIGNED`. */
export const typeName = (declared: string): string =>
  declared
    .toLowerCase()
    .replace(/\([^)]*\)/g, '')
    .replace(/\s+/g, ' ')
    .trim();
