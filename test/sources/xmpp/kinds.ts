import { type Kinds, remove, replace } from '../../contracts/kinds/kind.ts';

/** In a table of ejabberd: a row that says nothing, and rows in its place. */
const emptyNotice = `bo,example.com,1772443400000000,ines@example.com,ines@example.com,"<message to='bo@example.com' from='ines@example.com' xmlns='jabber:client'><event xmlns='http://jabber.org/protocol/pubsub#event'><items node='urn:xmpp:avatar:metadata'><item id='current'/></items></event></message>",,15,chat,,2026-03-02 09:23:20`;

const ejabberdRow = (content: string) =>
  `harbour@conference.example.com,example.com,1772443400000000,ines@example.com/desk,ines@example.com,"<message to='harbour@conference.example.com' from='ines@example.com/desk' type='groupchat' id='g9' xmlns='jabber:client'>${content}</message>",,15,groupchat,Ines,2026-03-02 09:23:20`;

const correction = ejabberdRow("<body>Third of two</body><replace id='g6' xmlns='urn:xmpp:message-correct:0'/>");

const reaction = ejabberdRow(
  "<reactions id='1772443320000000' xmlns='urn:xmpp:reactions:0'><reaction>👍</reaction></reactions>",
);

export const kinds: Kinds = {
  ownData: 'Stanzas of an app are not read; a private message in a room is a conversation of its own',
  unreadContent: 'A stanza is XML: one without a text is no message, and invalid if an unknown element has words',
  nestedRows: 'A stanza that carries another one is no message itself, and one that answers another names it by its id',
  partialExports: [
    { says: 'a file that another one includes', sample: 'xep-0227', edits: [remove('example.com/bo.xml')] },
  ],
  messageNames: 'A person has an address; in a room where none is shown, the nick is the person',
  sameNames: 'Rooms and chats have addresses: no two have the same',
  overlaps: [
    {
      sample: 'ejabberd',
      changed: 'the text',
      after: [replace('archive.csv', emptyNotice, correction)],
    },
    {
      sample: 'ejabberd',
      changed: 'a reaction',
      after: [replace('archive.csv', emptyNotice, reaction)],
    },
  ],
  decisions: [{ sample: 'prosody', asks: { 'version-undecided': 2 } }],
};
