import { isActiveType } from './fetch/active-types.ts';

/**
 * How a browser takes a file: with its name, and never as a page of the place where it stays. RFC 6266: the name in ASCII for old ones,
 * and in UTF-8. Printable ASCII, whatever the name is.
 */
export function dispositionOf(type: string, name: string): string {
  const kind = isActiveType(type) ? 'attachment' : 'inline';
  const clean = [...name.toWellFormed().replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}/\\]/gu, '_')].slice(0, nameMax).join('');
  if (clean.trim() === '') return kind;
  const ascii = clean.replaceAll(/[^\x20-\x7e]|["%]/g, '_');
  const utf8 = encodeURIComponent(clean).replaceAll(
    /['()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return ascii === clean ? `${kind}; filename="${ascii}"` : `${kind}; filename="${ascii}"; filename*=UTF-8''${utf8}`;
}

/** Characters: file systems take 255 bytes, headers some thousand. */
const nameMax = 150;
