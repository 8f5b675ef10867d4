import type { PersonCheck } from '../check.ts';

export const avatarUnusable: PersonCheck = {
  code: 'avatar-unusable',
  severity: 'information',
  title: 'Pictures of people that cannot be used',
  explanation: 'The address of the picture is not one of the web, or has more than 3,000 characters.',
  remedy: 'Nothing: the person is created without a picture.',
  find: ({ avatarUrl }) =>
    avatarUrl !== undefined && !(avatarUrl.length <= 3000 && /^https?:\/\//.test(avatarUrl) && URL.canParse(avatarUrl))
      ? avatarUrl.slice(0, 80)
      : undefined,
};
