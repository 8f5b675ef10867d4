import { asObject, asString } from '../kit/narrow.ts';
import { type Content, firstPresent } from './format.ts';

/** The name and the picture that a message has of its own. */
export interface MessageProfile {
  readonly name: string | undefined;
  readonly avatarUrl: string | undefined;
  /** Whether its words begin with the name, for programs that do not know profiles. */
  readonly hasFallback: boolean;
}

/**
 * A profile for one message, by which bridges and relays say for whom they speak.
 *
 *     "com.beeper.per_message_profile": { "id": "eve-1", "displayname": "Eve", "avatar_url": "mxc://…", "has_fallback": true }
 *
 * https://github.com/matrix-org/matrix-spec-proposals/pull/4144 (2026-11)
 */
export function readProfile(content: Content): MessageProfile | undefined {
  const profile = asObject<{ displayname: string; avatar_url: string; has_fallback: boolean }>(
    firstPresent(content, 'm.per_message_profile', 'com.beeper.per_message_profile'),
  );
  return (
    profile && {
      name: asString(profile.displayname),
      avatarUrl: asString(profile.avatar_url),
      hasFallback: profile.has_fallback === true,
    }
  );
}

const fallback = /<(\w{1,20})[^<>]{0,200}\sdata-mx-profile-fallback(?:[\s=][^<>]{0,200})?>[^<>]{0,300}<\/\1>/;

/** The words without the name of who says them, which the author has. */
export function withoutFallback(content: Content): Content {
  const { name, hasFallback } = readProfile(content) ?? {};
  if (!hasFallback || name === undefined) return content;
  const { body, formatted_body: html } = content;
  const prefix = `${name}: `;
  return {
    ...content,
    ...(typeof body === 'string' && body.startsWith(prefix) && { body: body.slice(prefix.length) }),
    ...(typeof html === 'string' && { formatted_body: html.replace(fallback, '') }),
  };
}
