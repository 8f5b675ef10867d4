import { describe, expect, it } from 'vitest';
import { matrix } from '../../../src/sources/matrix/index.ts';
import { memoryInput } from '../../contracts/memory-input.ts';
import { messagesOf } from '../../contracts/source/check.ts';
import { readAll } from '../../contracts/source.ts';

const ann = '@ann:example.com';
const ben = '@ben:example.com';
let second = 0;

const event = (event_id: string, sender: string, type: string, content: object, more: object = {}) => {
  second += 1;
  const at = { room_id: '!r:example.com', origin_server_ts: 1_772_442_000_000 + second * 1000 };
  return { event_id, sender, type, content, ...at, ...more };
};
const say = (id: string, body: string, sender = ann) =>
  event(id, sender, 'm.room.message', { msgtype: 'm.text', body });
const edit = (id: string, of: string, body: string, sender = ann) =>
  event(id, sender, 'm.room.message', {
    ...{ msgtype: 'm.text', body: `* ${body}`, 'm.new_content': { msgtype: 'm.text', body } },
    'm.relates_to': { rel_type: 'm.replace', event_id: of },
  });
const react = (id: string, to: string, key: string, sender = ben) =>
  event(id, sender, 'm.reaction', { 'm.relates_to': { rel_type: 'm.annotation', event_id: to, key } });
const redact = (of: string, more: object = { redacts: of }, content: object = {}) =>
  event(`$x${of}`, ann, 'm.room.redaction', content, more);

const read = (...events: readonly object[]) => readAll(matrix, memoryInput({ 'a.json': { chunk: events } }));
const messagesIn = async (...events: readonly object[]) => messagesOf(await read(...events));
const codesIn = async (...events: readonly object[]) =>
  (await read(...events)).flatMap((entry) => (entry.type === 'problem' ? [`${entry.code}: ${entry.reason}`] : []));

describe('an edit of Matrix', () => {
  it('replaces the text, the last of several edits, in any file order', async () => {
    const events = [say('$a', 'One'), edit('$b', '$a', 'Two'), edit('$c', '$a', 'Three')];
    const expected = [{ text: 'Three', edited: { atMs: events[2]!.origin_server_ts } }];
    expect(await messagesIn(...events)).toMatchObject(expected);
    expect(await messagesIn(...events.toReversed())).toMatchObject(expected);
    expect(await codesIn(...events)).toEqual(['matrix-earlier-version: 2 × earlier versions of edited messages']);
  });

  it('by another person changes nothing', async () => {
    const [message] = await messagesIn(say('$a', 'One'), edit('$b', '$a', 'Two', ben));
    expect(message).toMatchObject({ text: 'One' });
    expect(message?.edited).toBeUndefined();
  });

  it('that was deleted leaves the one before it', async () => {
    const events = [say('$a', 'One'), edit('$b', '$a', 'Two'), edit('$c', '$a', 'Three'), redact('$c')];
    expect(await messagesIn(...events)).toMatchObject([{ text: 'Two' }]);
  });

  it('keeps the message in its thread', async () => {
    const thread = { rel_type: 'm.thread', event_id: '$root' };
    const message = event('$a', ann, 'm.room.message', { msgtype: 'm.text', body: 'One', 'm.relates_to': thread });
    expect(await messagesIn(message, edit('$b', '$a', 'Two'))).toMatchObject([{ text: 'Two', threadRoot: '$root' }]);
  });

  it('of an edit, or in a circle, is reported', async () => {
    const found = await codesIn(edit('$a', '$b', 'One'), edit('$b', '$a', 'Two'));
    expect(found.map((code) => code.split(':')[0])).toEqual(['matrix-edited-elsewhere', 'matrix-edited-elsewhere']);
  });

  it('that is encrypted leaves a mark', async () => {
    const hidden = event('$b', ann, 'm.room.encrypted', {
      ...{ algorithm: 'm.megolm.v1.aes-sha2', 'm.relates_to': { rel_type: 'm.replace', event_id: '$a' } },
    });
    const [message] = await messagesIn(say('$a', 'One'), hidden);
    expect(message).toMatchObject({ text: 'One', edited: { atMs: hidden.origin_server_ts } });
  });
});

describe('a deletion of Matrix', () => {
  it.each([
    ['beside the content', { redacts: '$a' }, {}],
    ['in the content', {}, { redacts: '$a', reason: 'Sorry' }],
  ])('is found if it names its message %s', async (_, more, content) => {
    const [message] = await messagesIn(say('$a', 'One'), redact('$a', more, content));
    expect(message).toMatchObject({ isDeleted: true, ...('reason' in content && { custom: { reason: 'Sorry' } }) });
  });

  it('of a message in another file is reported, as are edits, reactions and votes', async () => {
    const found = await codesIn(redact('$away'), edit('$b', '$away', 'Two'), react('$c', '$away', '👍'));
    expect(found.map((code) => code.split(':')[0])).toEqual([
      'matrix-deleted-elsewhere',
      'matrix-edited-elsewhere',
      'matrix-answered-elsewhere',
    ]);
    expect(found[0]).toContain('"$away"');
  });
});

describe('reactions of Matrix', () => {
  it('count each person once for each emoji, without removed reactions', async () => {
    const given = [
      react('$1', '$a', '👍'),
      react('$2', '$a', '👍'),
      react('$3', '$a', '👍', ann),
      react('$4', '$a', '🎉'),
    ];
    const [message] = await messagesIn(say('$a', 'One'), ...given, redact('$4'));
    expect(message?.reactions).toEqual([{ emoji: '👍', users: [ben, ann], count: 2 }]);
  });
});

describe('a call of Matrix', () => {
  it('ends when a person hangs up', async () => {
    const invite = event('$a', ann, 'm.call.invite', { call_id: 'c', offer: { sdp: 'v=0\r\nm=video 9\r\n' } });
    const answer = event('$b', ben, 'm.call.answer', { call_id: 'c' });
    const hangup = event('$c', ben, 'm.call.hangup', { call_id: 'c' });
    const call = { startedAtMs: invite.origin_server_ts, endedAtMs: hangup.origin_server_ts, participants: [ann, ben] };
    expect(await messagesIn(invite, answer, hangup)).toMatchObject([{ text: 'Video call', call }]);
  });
});

it('lists of events one behind another in a file are read, as matrix-archive writes them', async () => {
  const text = [[say('$1', 'one'), say('$2', 'two')], [say('$3', 'three')]]
    .map((list) => JSON.stringify(list, null, 1))
    .join('');
  const entries = await readAll(matrix, memoryInput({ 'Crew_!r:example.com.json': text }));
  expect(messagesOf(entries).map((message) => message.text)).toEqual(['one', 'two', 'three']);
  expect(entries.flatMap((entry) => ('code' in entry ? [entry.code] : []))).toEqual([]);
});
