import { describe, expect, it } from 'vitest';
import { findHidingMark } from '../../../src/sources/kit/hiding-mark.ts';

describe('findHidingMark()', () => {
  it.each([
    [{ internal: true }, 'internal'],
    [{ is_internal: 'Y' }, 'is_internal'],
    [{ isprivate: 1 }, 'isprivate'],
    [{ private: 'on' }, 'private'],
    [{ meta: { ui: { privateNote: 't' } } }, 'meta.ui.privateNote'],
    [{ data: '{"a":{"whisper":"1"}}' }, 'data.a.whisper'],
    [{ data: '"[1]"', list: ['[{"ephemeral":true}]'] }, 'list.0.0.ephemeral'],
    [{ visibility: 'agents' }, 'visibility'],
    [{ visibility: { type: 'staff' } }, 'visibility.type'],
    [{ visibility: { customers: false } }, 'visibility.customers'],
    [{ visible: 'support' }, 'visible'],
    [{ visible_to: ['ines'] }, 'visible_to.0'],
    [{ customer_visible: '0' }, 'customer_visible'],
    [{ customerFacing: 'no' }, 'customerFacing'],
    [{ show_to_customer: false }, 'show_to_customer'],
    [{ not_public: true }, 'not_public'],
    [{ access: 'agents' }, 'access'],
    [{ subtype: 'note' }, 'subtype'],
    [{ tags: ['urgent', 'internal'] }, 'tags.1'],
    [{ custom_type: 'internal-note' }, 'custom_type'],
    [{ data: 'staff_only' }, 'data'],
    [{ fields: [{ key: 'internal', value: 'true' }] }, 'fields.0.internal'],
    [{ fields: [{ name: 'visibility', value: 'agents' }] }, 'fields.0.visibility'],
    [{ hidden_from: ['ines'] }, 'hidden_from'],
    [{ whisper_to: 'ines' }, 'whisper_to'],
    [{ deletedAt: '2026-03-02' }, 'deletedAt'],
    [{ nur_mitarbeiter: 'ja' }, 'nur_mitarbeiter'],
    [{ sichtbarkeit: 'intern' }, 'sichtbarkeit'],
    [{ privateMessageViewer: { name: 'users/1' } }, 'privateMessageViewer'],
  ])('finds %j', (data, path) => {
    expect(findHidingMark(data)).toBe(path);
  });

  it.each([
    { internal: false, private: '0', is_note: 'no', hidden: null, whisper: '', ephemeral: 'f' },
    { visibility: 'all', public: 'true', visible_to: ['everyone'], customer_visible: 1 },
    { internal_id: 1, note_count: 1, private_key: '1', notes: 'Ask Ines', note: 'Call at six' },
    { user: { private: true }, channel: { type: 'private' }, sender_blocked: true, room_private: 1 },
    { type: 'voice_note', status: 'pending', payment: { status: 'failed' }, role: 'agent' },
    { text: 'internal', title: 'Private note', data: 'A note for the staff of the harbour' },
    { not_internal: true, no_reply: true, show_avatar: false, approved: false },
  ])('finds nothing in %j', (data) => {
    expect(findHidingMark(data)).toBeUndefined();
  });

  it('looks into data of any depth, and does not follow what is no JSON', () => {
    const deep = JSON.parse(`${'{"a":'.repeat(5000)}{"internal":true}${'}'.repeat(5000)}`) as object;
    expect(findHidingMark(deep)).toMatch(/a\.internal$/);
    expect(findHidingMark({ app: '{"internal":true' })).toBeUndefined();
  });
});
