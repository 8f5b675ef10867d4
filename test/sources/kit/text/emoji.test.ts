import { describe, expect, it } from 'vitest';
import { findEmoji, emojiWithTone, isCustomEmojiName, shownEmoji } from '../../../../src/sources/kit/text/emoji.ts';

describe('shownEmoji()', () => {
  it.each([
    ['wave', '👋'],
    ['+1', '👍'],
    ['+1::skin-tone-3', '👍🏼'],
    ['+1_light_skin_tone', '👍🏻'],
    ['wave_medium_light_skin_tone', '👋🏼'],
    ['wave_medium_skin_tone', '👋🏽'],
    ['wave_medium_dark_skin_tone', '👋🏾'],
    ['wave_dark_skin_tone', '👋🏿'],
    ['heart', '❤️'],
    ['party_parrot', ':party_parrot:'],
    ['party_parrot_dark_skin_tone', ':party_parrot_dark_skin_tone:'],
  ])('shows %s as %s', (name, shown) => expect(shownEmoji(name)).toBe(shown));
});

describe('findEmoji()', () => {
  it('knows no emoji that a workspace invented, and no tone that there is not', () => {
    expect(findEmoji('party_parrot')).toBeUndefined();
    expect(emojiWithTone('constructor')).toBeUndefined();
    expect(findEmoji('wave', '7')).toBe('👋');
  });
});

it('isCustomEmojiName() takes no part of a time for one', () => {
  expect(isCustomEmojiName('30')).toBe(false);
  expect(isCustomEmojiName('parrot2')).toBe(true);
});
