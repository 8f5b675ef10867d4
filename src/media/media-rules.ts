import { resolve } from 'node:path';
import type { Store } from '../store/open.ts';
import { UsageError } from '../lib/errors.ts';
import { type MediaRules, mediaSchema } from '../mapping/rules.ts';
import { assertMediaTarget } from './locations/media-target.ts';
import { docsLink } from '../lib/docs-link.ts';

/** Command-line options for copying files: each takes precedence over the same key of a mapping, of a job, and of the run before. */
export type MediaFlags = { readonly [Key in keyof MediaRules]?: MediaRules[Key] | undefined };

/**
 * Returns the rules by which files are copied.
 *
 * @param given Rules of the mapping or the job; else those that the store was used with.
 * @returns Undefined if no location for files was given.
 * @throws UsageError if other options for files were given without a location, or the location is neither a bucket nor
 *   a folder.
 */
export function resolveMediaRules(given: MediaRules | undefined, flags: MediaFlags): MediaRules | undefined {
  const said = Object.fromEntries(Object.entries(flags).filter(([, value]) => value !== undefined));
  const isSame = flags.to === undefined || (given !== undefined && resolveTarget(flags.to) === resolveTarget(given.to));
  const base = isSame ? given : undefined;
  if (!base && flags.to === undefined) {
    if (Object.keys(said).length === 0) return undefined;
    throw new UsageError('Cannot copy files: no location is set', {
      hint: `Pass --media-to with a bucket (s3://bucket/prefix) or a folder; ${docsLink('guides/media')}`,
    });
  }
  assertAddress('--media-base-url', flags.address, 'https://files.example.com/chat/');
  assertAddress('--media-endpoint', flags.endpoint, 'https://s3.example.com');
  const rules = { ...(base ?? mediaSchema.parse({ to: flags.to })), ...said } as MediaRules;
  assertMediaTarget(rules.to);
  return rules;
}

/** Not quoted: it may hold a password. */
function assertAddress(flag: string, value: string | undefined, example: string): void {
  if (value === undefined || (/^https?:/i.test(value) && URL.canParse(value))) return;
  throw new UsageError(`Cannot use what ${flag} says: expected a web address`, {
    hint: `Write it whole, with https:// before it: ${example}`,
  });
}

/** Returns the rules of the run before, if there was one. */
export function rememberedMedia(store: Store): MediaRules | undefined {
  const text = store.facts.read('media');
  return text === undefined ? undefined : (JSON.parse(text) as MediaRules);
}

/** Stores the paths of files with secrets, never their content. All paths are absolute: the next command may run elsewhere. */
export function rememberMedia(store: Store, rules: MediaRules): void {
  const { to, credentials, token } = rules;
  const whole = {
    ...rules,
    to: resolveTarget(to),
    ...(credentials !== undefined && { credentials: resolve(credentials) }),
    ...(token !== undefined && { token: resolve(token) }),
  };
  store.facts.write('media', JSON.stringify(whole));
}

/** A folder by its whole path; a letter before the colon is a disk of Windows. */
const resolveTarget = (to: string): string => (/^[a-z][a-z0-9+.-]+:/i.test(to) ? to : resolve(to));
