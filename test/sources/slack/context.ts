import { Conversations, toConversation } from '../../../src/sources/slack/conversations.ts';
import { People, toUser } from '../../../src/sources/slack/people.ts';
import { Row, type Workspace } from '../../../src/sources/slack/row.ts';

/** A workspace of three people, a bot and two channels, for tests that read single rows or texts. */
export function workspaceOf(includeUnfurls = false, escapesText = false): Workspace {
  const people = new People();
  const users = [
    { id: 'U1', name: 'ada', team_id: 'T1', profile: { display_name: 'Ada' } },
    { id: 'U2', name: 'bob', team_id: 'T1', profile: { real_name: 'Bob Ray' } },
    { id: 'U3', name: 'cleo', team_id: 'T1', profile: {} },
    { id: 'UBOT', name: 'deploy', is_bot: true, profile: { real_name: 'Deploy', bot_id: 'BDEPLOY' } },
  ];
  for (const user of users) people.add(user, toUser(user)!);
  const conversations = new Conversations();
  for (const [id, name] of [
    ['C1', 'general'],
    ['C2', 'design'],
  ]) {
    conversations.add('', toConversation({ id, name }, 'public')!, name!);
  }
  return { id: 'T1', people, conversations, includeUnfurls, keepsTokens: false, escapesText };
}

/** A row of that workspace whose text is still to be read. */
export function rowContext(message: ConstructorParameters<typeof Row>[0] = {}, escapesText = false): Row {
  const place = { rule: 'message', ts: '1700000000.000100', sentAtMs: 1_700_000_000_000 } as const;
  return new Row(message, { ...place, conversation: { id: 'C1', pins: new Set() } }, workspaceOf(false, escapesText));
}
