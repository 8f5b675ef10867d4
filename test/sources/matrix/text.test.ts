import { describe, expect, it } from 'vitest';
import { idOf as idOfEvent } from '../../../src/sources/matrix/event-id.ts';
import type { Event } from '../../../src/sources/matrix/format.ts';
import { readLayout } from '../../../src/sources/matrix/layout.ts';
import { locationText, matrixText, withoutQuotation, withoutReply } from '../../../src/sources/matrix/text.ts';
import { memoryInput } from '../../contracts/memory-input.ts';
import { linear, longText, manyPieces } from '../../long-text.ts';

const context = { nameOf: (id: string) => (id === '@ann:example.com' ? 'Ann' : undefined), lose: () => {} };

describe('withoutQuotation()', () => {
  it.each([
    ['> <@ann:example.com> Hi\n> there\n\nYes', 'Yes'],
    ['> * <@ann:example.com> waves\n\nYes', 'Yes'],
    ['> <@ann:example.com> Hi', ''],
    ['> a quotation of mine\n\nYes', '> a quotation of mine\n\nYes'],
    ['Yes', 'Yes'],
  ])('makes %j to %j', (body, text) => expect(withoutQuotation(body)).toBe(text));
});

describe('withoutReply()', () => {
  it('keeps unclosed text', () => expect(withoutReply('<mx-reply>a')).toBe('<mx-reply>a'));
  it('drops what is', () => expect(withoutReply('<mx-reply><b>a</b></mx-reply>c')).toBe('c'));
});

describe('textOf()', () => {
  it('shows people by their names, in HTML and in plain text', () => {
    const html = '<a href="https://matrix.to/#/%40ann%3Aexample.com">Ann</a>: hi';
    const styled = matrixText({ format: 'org.matrix.custom.html', formatted_body: html, body: 'Ann: hi' }, context);
    expect(styled).toMatchObject({ text: '@Ann: hi', mentions: ['@ann:example.com'] });
    const mentions = { user_ids: ['@ann:example.com'] };
    expect(matrixText({ body: 'Ask @ann:example.com.', 'm.mentions': mentions }, context).text).toBe('Ask @Ann.');
  });

  it('takes HTML of another format for none', () => {
    expect(matrixText({ format: 'other', formatted_body: '<b>a</b>', body: 'a' }, context).text).toBe('a');
  });

  const isReply = { 'm.relates_to': { 'm.in_reply_to': { event_id: '$a' } } };

  it.each(['> ', '@a:', 'https://matrix.to/#/'])(
    'leaves a long text of %s as it is, in linear time',
    linear,
    (piece) => {
      // Quadratic time would not end within the test's timeout.
      const body = longText(piece);
      const { text } = matrixText({ body, ...isReply, 'm.mentions': { user_ids: ['@a:b'] } }, context);
      expect(text === body).toBe(true);
    },
  );

  it.each([
    ['<mx-reply>', manyPieces('<mx-reply>'), ''],
    ['<a href="https://matrix.to/#/@a:b">', manyPieces('<a href="https://matrix.to/#/@a:b">'), manyPieces('@')],
  ])('reads long HTML of %s in linear time', linear, (_piece, html, shown) => {
    // Quadratic time would not end within the test's timeout.
    const content = { format: 'org.matrix.custom.html', formatted_body: html, ...isReply };
    expect(matrixText(content, context).text === shown).toBe(true);
  });
});

describe('locationText()', () => {
  it('keeps an address that is no place', () => expect(locationText({ geo_uri: 'geo:x' })).toBe('Location: geo:x'));
});

/** As it comes: with whatever else servers write. */
const idOf = (event: object, version: string | undefined) => idOfEvent(event as Event, version);

describe('idOf()', () => {
  const event = {
    ...{ type: 'm.room.message', room_id: '!r:example.com', sender: '@ann:example.com', origin_server_ts: 1, depth: 1 },
    ...{ hashes: { sha256: 'aGFzaA' }, prev_events: [], auth_events: [] },
  };

  it('does not depend on the text, nor on the order of keys', () => {
    const one = idOf({ ...event, content: { body: 'a' }, unsigned: { age: 1 }, signatures: {} }, '10');
    const other = idOf({ content: { body: 'b' }, ...Object.fromEntries(Object.entries(event).reverse()) }, '10');
    expect(one).toMatch(/^\$[\w-]{43}$/);
    expect(other).toBe(one);
  });

  it('depends on the server before version 11 of rooms alone', () => {
    const of = (version: string, origin: string) => idOf({ ...event, origin, content: {} }, version);
    expect(of('10', 'a.example')).not.toBe(of('10', 'b.example'));
    expect(of('11', 'a.example')).toBe(of('11', 'b.example'));
  });

  it('is nothing for what no server sent', () => expect(idOf({ content: {} }, undefined)).toBeUndefined());
});

describe('readLayout()', () => {
  const of = (value: unknown) => readLayout(memoryInput({ 'a.json': value as object }), 'a.json');
  it('finds nothing in what holds no events', async () => {
    expect(await of({ messages: [{ id: 1, text: 'a' }] })).toBeUndefined();
    expect(await of({ type: 'personal_chat', messages: [] })).toBeUndefined();
  });
});
