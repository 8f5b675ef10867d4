import type { SourceCode } from '../kit/codes.ts';

export const mattermostCodes: readonly SourceCode[] = [
  {
    code: 'mattermost-no-channel',
    severity: 'blocks',
    title: 'Posts of no channel',
    explanation: 'The line does not name its channel and team, or the people in its direct channel.',
    remedy: 'Correct the line, or export again.',
  },
  {
    code: 'mattermost-no-post',
    severity: 'blocks',
    title: 'Lines of posts without a post',
    explanation: 'The line says that it is a post, and holds none.',
    remedy: 'Correct the line, or export again.',
  },
  {
    code: 'mattermost-bad-time',
    severity: 'blocks',
    title: 'Posts without a time',
    explanation: '"create_at" is no time in milliseconds.',
    remedy: 'Correct the line, or export again.',
  },
  {
    code: 'mattermost-unknown-line',
    severity: 'information',
    title: 'Lines that are not known',
    explanation: 'The line has a type that no bulk export has; it is left out.',
    remedy: 'Check the examples, and report them.',
  },
  {
    code: 'mattermost-unlisted-channel',
    severity: 'information',
    title: 'Channels that no line describes',
    explanation:
      'A post is in a channel that no line before it describes: the channel becomes a private group of that name.',
    remedy: 'Export the channels too; archived ones with --include-archived-channels.',
  },
  {
    code: 'mattermost-unlisted-direct',
    severity: 'information',
    title: 'Direct channels that only their posts name',
    explanation:
      'No line describes the direct channel of these people. Servers before 9.5 write the same person twice if the other was deactivated. The posts name both people, and these names are used.',
    remedy: 'Nothing.',
  },
  {
    code: 'mattermost-reply-before-root',
    severity: 'information',
    title: 'Replies that are older than the post they answer',
    explanation:
      'The reply is older than the post that it answers, for example after an import into Mattermost. As in Mattermost, it gets the time of that post, and follows it.',
    remedy: 'Nothing.',
  },
  {
    code: 'mattermost-not-migrated',
    severity: 'information',
    title: 'Personal settings, and pictures of emoji',
    explanation:
      'Saved posts, followed threads, read positions, favourites, roles and pictures of custom emoji have no counterpart at the destination.',
    remedy: 'Nothing.',
  },
];
