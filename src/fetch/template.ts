import { sha256Hex } from '../lib/hash.ts';

export type Values = Readonly<Record<string, string>>;

const hole = /\{([a-z][A-Za-z0-9]*)\}/g;

/** The names in a template: `/rooms/{id}` has `id`. */
export const namesIn = (template: string): readonly string[] => [...template.matchAll(hole)].map(([, name]) => name!);

/** Puts values into a template, each through `write`. A name without value stays as it is: a recipe was checked. */
export const fill = (template: string, values: Values, write: (value: string) => string = String): string =>
  template.replaceAll(hole, (whole, name: string) => (values[name] === undefined ? whole : write(values[name])));

/** For a path of a URL. Parts of dots must be refused before: every spelling of them climbs to another path. */
export const forPath = (value: string): string => encodeURIComponent(value.toWellFormed());

/** Whether a value would change the path around it. */
export const climbs = (value: string): boolean => value === '' || value === '.' || value === '..';

const nameMax = 120;

/**
 * For the name of a file: letters, digits, `-`, `_`, `.`, `@`, `=` stay; every other byte is escaped with `%`. A long one is cut, and ends
 * in a part of its hash.
 */
export function forFile(value: string): string {
  const safe = forPath(climbs(value) ? `_${value}` : value).replaceAll(
    /[!'()*~]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  const name = safe.replaceAll('%40', '@').replaceAll('%3D', '=');
  return name.length <= nameMax ? name : withHash(name.slice(0, nameMax - 13), value);
}

/** The same name, made different from others by a part of the hash of `text`: before its ending. */
export const withHash = (name: string, text: string): string =>
  name.replace(/((?:\.[a-z]+)?)$/, `-${sha256Hex(text).slice(0, 12)}$1`);
