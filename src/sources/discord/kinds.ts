/** Kind of a message type: from a person or app, from the platform, or a call. */
export type Kind = 'message' | 'system' | 'call';

interface Rule {
  readonly kind: Kind;
  /** Text to use if the exporter has none. */
  readonly words?: string;
}

const message: Rule = { kind: 'message' };
const system = (words?: string): Rule => (words === undefined ? { kind: 'system' } : { kind: 'system', words });

/**
 * Every type of Discord, by the name that the exporter has for it, else by its number.
 * https://docs.discord.com/developers/resources/message#message-object-message-types (2026-11).
 */
const rules = new Map<string, Rule>([
  ['Default', message],
  ['Reply', message],
  ['RecipientAdd', system()],
  ['RecipientRemove', system()],
  ['Call', { kind: 'call' }],
  ['ChannelNameChange', system()],
  ['ChannelIconChange', system()],
  ['ChannelPinnedMessage', system()],
  ['GuildMemberJoin', system()],
  ['ThreadCreated', system()],
  ['8', system('Boosted the server')],
  ['9', system('Boosted the server to level 1')],
  ['10', system('Boosted the server to level 2')],
  ['11', system('Boosted the server to level 3')],
  ['12', system('Followed a channel')],
  ['14', system('The server was removed from discovery')],
  ['15', system('The server is in discovery again')],
  ['16', system('The server may lose its place in discovery')],
  ['17', system('The server will lose its place in discovery')],
  // An answer to a command of an app, and to one of its menus.
  ['20', message],
  ['23', message],
  ['21', system('The thread began with a message of the channel')],
  ['22', system('A reminder to invite people')],
  ['24', system('A message was held back by a rule')],
  ['25', system('Bought a role')],
  ['26', system('An app asks for a subscription')],
  ['27', system('The stage began')],
  ['28', system('The stage ended')],
  ['29', system('Spoke on the stage')],
  ['31', system('The topic of the stage changed')],
  ['32', system('Bought a subscription of an app')],
  ['36', system('Alert mode was switched on')],
  ['37', system('Alert mode was switched off')],
  ['38', system('Reported a raid')],
  ['39', system('Reported a false alarm')],
  ['44', system('Bought something')],
  ['46', system('The poll has ended')],
]);

export const findRule = (type: string): Rule | undefined => rules.get(type);
