import { describe, expect, it } from 'vitest';
import { ticketIn } from '../../../src/sources/zendesk/layout.ts';

describe('ticketIn()', () => {
  it.each([
    ['tickets/501/comments.json', '501'],
    ['desk/ticket-501-comments-2.json', '501'],
    ['ticket_501.json', '501'],
    ['comments/501.json', '501'],
  ])('takes it from the path %s', (path, ticket) => {
    expect(ticketIn('{"comments":[', path)).toBe(ticket);
  });

  it('believes an address of the answer rather than a name', () => {
    const head = '{"next_page":"https://desk.example.com/api/v2/tickets/7/comments.json?page=2"';
    expect(ticketIn(head, '501.json')).toBe('7');
  });

  it('believes no address inside of a row, which is about another ticket', () => {
    const next_page = 'https://desk.example.com/api/v2/tickets/7/comments.json?page=2';
    const inRow = JSON.stringify({ comments: [{ id: 1, via: { source: { next_page } }, links: { next: next_page } }] });
    expect(ticketIn(inRow, '501.json')).toBe('501');
    expect(ticketIn(inRow, 'comments.json')).toBeUndefined();
    const inLinks = JSON.stringify({ comments: [{ id: 1 }], links: { next: next_page } });
    expect(ticketIn(inLinks, '501.json')).toBe('7');
  });

  it('takes no address out of a text', () => {
    const said = { body: '"next_page":"https://desk.example.com/api/v2/tickets/7/comments.json"' };
    expect(ticketIn(JSON.stringify({ comments: [said] }), 'comments.json')).toBeUndefined();
  });

  it.each(['tickets/2024/11.json', 'comments.json', 'comments-1.json', '2026-03-02.json', 'page-1-of-7.json'])(
    'guesses none from %s',
    (path) => {
      expect(ticketIn('{"comments":[', path)).toBeUndefined();
    },
  );
});
