/** Kind of a message type (`t`). Absent: written by people. */
export type Kind = 'message' | 'system' | 'call' | 'encrypted' | 'deleted';

/**
 * Types of the platform, and their texts: `%` stands for the content of `msg`, a name or a username. `MessageTypes` in
 * `apps/meteor/lib/publishFields.ts` and `packages/message-types/src` of Rocket.Chat (2026-11).
 */
const words: Readonly<Record<string, string>> = {
  uj: 'Joined the channel',
  ujt: 'Joined the team',
  ut: 'Joined the conversation',
  ul: 'Left the channel',
  ult: 'Left the team',
  au: 'Added %',
  'added-user-to-team': 'Added % to the team',
  ru: 'Removed %',
  'removed-user-from-team': 'Removed % from the team',
  'user-added-room-to-team': 'Added the channel % to the team',
  'user-converted-to-team': 'Made the channel % a team',
  'user-converted-to-channel': 'Made the team % a channel',
  'user-removed-room-from-team': 'Removed the channel % from the team',
  'user-deleted-room-from-team': 'Deleted the channel % of the team',
  r: 'Renamed the room: %',
  wm: '%',
  rtc: '%',
  command: '%',
  'user-muted': 'Muted %',
  'user-unmuted': 'Unmuted %',
  'subscription-role-added': 'Gave % the role',
  'subscription-role-removed': 'Took the role from %',
  'new-owner': 'Made % an owner',
  'owner-removed': '% is an owner no more',
  'new-moderator': 'Made % a moderator',
  'moderator-removed': '% is a moderator no more',
  'new-leader': 'Made % a leader',
  'leader-removed': '% is a leader no more',
  'room-archived': 'Archived the room',
  'room-unarchived': 'Took the room out of the archive',
  'room-set-read-only': 'Made the room read-only',
  'room-removed-read-only': 'Let everybody write again',
  'room-allowed-reacting': 'Allowed reactions',
  'room-disallowed-reacting': 'Forbade reactions',
  room_changed_topic: 'Changed the topic: %',
  room_changed_announcement: 'Changed the announcement: %',
  room_changed_description: 'Changed the description: %',
  room_changed_privacy: 'Changed who may join: %',
  room_changed_avatar: 'Changed the picture of the room',
  room_e2e_enabled: 'Turned encryption on',
  room_e2e_disabled: 'Turned encryption off',
  message_pinned: 'Pinned a message',
  message_pinned_e2e: 'Pinned a message',
  message_snippeted: 'Made a snippet: %',
  'discussion-created': 'Began a discussion: %',
  abac_removed_user_from_room: 'Removed %',
  'thread-created': '%',
  user_joined_otr: 'Joined off-the-record talk',
  user_requested_otr_key_refresh: 'Asked for new keys',
  user_key_refreshed_successfully: 'Got new keys',
};

/** Types that are written in many ways, each with its own words in `msg`. */
const families = /^(?:livechat|omnichannel|otr|voip)[-_]/;
const calls = /^(?:videoconf|jitsi_call_started|rtc_call_started|livechat_webrtc_video_call)$/;

/** @returns undefined for a type that is not known. */
export function kindOf(type: string | undefined): Kind | undefined {
  if (type === undefined) return 'message';
  if (type === 'e2e') return 'encrypted';
  if (type === 'rm') return 'deleted';
  if (calls.test(type)) return 'call';
  return Object.hasOwn(words, type) || families.test(type) ? 'system' : undefined;
}

/** Returns the text of a platform message. */
export const describeEvent = (type: string, said: string): string =>
  Object.hasOwn(words, type) ? words[type]!.replace('%', () => said).trim() : said;
