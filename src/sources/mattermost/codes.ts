import { badRow, note, type SourceCode } from '../kit/codes.ts';

export const mattermostCodes: readonly SourceCode[] = [
  badRow(
    'mattermost-no-channel',
    'Posts of no channel',
    'The line does not name its channel and team, or the people in its direct channel.',
    'Correct the line, or export again.',
  ),
  badRow(
    'mattermost-no-post',
    'Lines of posts without a post',
    'The line says that it is a post, and holds none.',
    'Correct the line, or export again.',
  ),
  badRow(
    'mattermost-bad-time',
    'Posts without a time',
    '"create_at" is no time in milliseconds.',
    'Correct the line, or export again.',
  ),
  note(
    'mattermost-unknown-line',
    'Lines that are not known',
    'The line has a type that no bulk export has; it is left out.',
    'Check the examples, and report them.',
  ),
  note(
    'mattermost-unlisted-channel',
    'Channels that no line describes',
    'A post is in a channel that no line before it describes: the channel becomes a private group of that name.',
    'Export the channels too; archived ones with --include-archived-channels.',
  ),
  note(
    'mattermost-unlisted-direct',
    'Direct channels that only their posts name',
    'No line describes the direct channel of these people. Servers before 9.5 write the same person twice if the other was deactivated. The posts name both people, and these names are used.',
  ),
  note(
    'mattermost-reply-before-root',
    'Replies that are older than the post they answer',
    'The reply is older than the post that it answers, for example after an import into Mattermost. As in Mattermost, it gets the time of that post, and follows it.',
  ),
  note(
    'mattermost-not-migrated',
    'Personal settings, and pictures of emoji',
    'Saved posts, followed threads, read positions, favourites, roles in teams and pictures of custom emoji have no counterpart at the destination.',
  ),
];
