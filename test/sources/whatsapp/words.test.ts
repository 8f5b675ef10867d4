import { describe, expect, it } from 'vitest';
import { type RowPlace, rowWords, splitAuthor } from '../../../src/sources/whatsapp/row-words.ts';
import { chatText } from '../../../src/sources/whatsapp/text.ts';
import {
  findEvent,
  omittedKind,
  saysAbsent,
  saysCall,
  saysDeleted,
  saysWholeCall,
} from '../../../src/sources/whatsapp/words.ts';
import lists from '../../../src/sources/whatsapp/words.json' with { type: 'json' };

const appMark = '\u200e';

describe('splitAuthor()', () => {
  it.each([
    ['Ann: Hi', 'Ann', 'Hi'],
    ['Ann: Hi: there', 'Ann', 'Hi: there'],
    ['Ann:', 'Ann', ''],
    ['\u202a+44\u00a07700\u00a0900123\u202c: Hi', '+44 7700 900123', 'Hi'],
    ['~\u202fAnn: Hi', '~ Ann', 'Hi'],
    ['Ann "Annie" B: Hi', 'Ann "Annie" B', 'Hi'],
    ['Ann left', undefined, 'Ann left'],
    ['Ann changed the subject to “Pier: 4”', undefined, 'Ann changed the subject to “Pier: 4”'],
    ['Ann hat den Betreff zu „Pier: 4“ geändert', undefined, 'Ann hat den Betreff zu „Pier: 4“ geändert'],
  ])('takes %s apart', (rest, author, text) => expect(splitAuthor(rest)).toEqual({ author, text }));
});

const ios: RowPlace = { isIos: true, isChat: false, known: (name) => name === 'Ann' };

describe('rowWords()', () => {
  const words = (...lines: readonly string[]) => {
    const { kind, text, file, isEdited } = rowWords('Ann', lines, ios);
    return [kind, text, ...(file ? ['path' in file ? file.path : file.omitted] : []), ...(isEdited ? ['edited'] : [])];
  };

  it.each([
    [
      ['IMG-20240315-WA0007.jpg (file attached)', 'The winch'],
      ['message', 'The winch', 'IMG-20240315-WA0007.jpg'],
    ],
    [['Plan.pdf (Datei angehängt)'], ['message', '', 'Plan.pdf']],
    [['IMG-20240315-WA0007.jpg (in a language that nobody knows)'], ['message', '', 'IMG-20240315-WA0007.jpg']],
    [[`${appMark}<adjunto: 00000012-PHOTO-2024.jpg>`], ['message', '', '00000012-PHOTO-2024.jpg']],
    [[`The winch ${appMark}<attached: 00000012-PHOTO-2024.jpg>`], ['message', 'The winch', '00000012-PHOTO-2024.jpg']],
    [
      ['One', `two ${appMark}<attached: 00000012-PHOTO-2024.jpg>`],
      ['message', 'One\ntwo', '00000012-PHOTO-2024.jpg'],
    ],
    [['<Multimedia omitido>'], ['message', '', 'media']],
    [
      ['<Без медиафайлов>', 'And a caption'],
      ['message', 'And a caption', 'media'],
    ],
    [[`${appMark}Bild weggelassen`], ['message', '', 'image']],
    [[`Plan.pdf ${appMark}document omitted`], ['message', 'Plan.pdf', 'document']],
    [['sticker omitted'], ['message', '', 'sticker']],
    [['I was image omitted'], ['message', 'I was image omitted']],
    [['a (b)'], ['message', 'a (b)']],
    [['see notes.txt (old)'], ['message', 'see notes.txt (old)']],
    [['<b>'], ['message', '<b>']],
    [['Diese Nachricht wurde gelöscht.'], ['deleted', 'Diese Nachricht wurde gelöscht.']],
    [[`${appMark}You deleted this message.`], ['deleted', 'You deleted this message.']],
    [['このメッセージは削除されました。'], ['deleted', 'このメッセージは削除されました。']],
    [['At ten <This message was edited>'], ['message', 'At ten', 'edited']],
    [[`At ten ${appMark}<In a language that nobody knows>`], ['message', 'At ten', 'edited']],
    [
      ['One', 'two <Se editó este mensaje.>'],
      ['message', 'One\ntwo', 'edited'],
    ],
    [
      [`${appMark}Missed voice call, ${appMark}Tap to call back`],
      ['call', `Missed voice call, ${appMark}Tap to call back`],
    ],
    [['Video call'], ['message', 'Video call']],
    [[`${appMark}Ann left`], ['system', 'Ann left']],
    [[`${appMark}Location: https://maps.example.com`], ['message', 'Location: https://maps.example.com']],
    [
      [`${appMark}POLL:`, 'Who?', `${appMark}OPTION: Ann`],
      ['message', 'POLL:\nWho?\nOPTION: Ann'],
    ],
    [[''], ['message', '']],
  ])('finds what %j is', (lines, expected) => expect(words(...lines)).toEqual(expected));

  it('knows a line without an author as the system’s', () => {
    expect(rowWords(undefined, ['Ann left'], ios).kind).toBe('system');
    expect(rowWords(undefined, ['Verpasster Sprachanruf'], ios).kind).toBe('call');
  });
});

describe('findEvent()', () => {
  it.each([
    ['Ann left', 'left'],
    ['Ann salió del grupo', 'left'],
    ['Ann hat die Gruppe „Pier“ erstellt', 'created'],
    ['Ann added Ben', 'added'],
    ['Les messages et les appels sont chiffrés de bout en bout.', 'encryption'],
    ['訊息和通話經端對端加密。', 'encryption'],
    ['Leftover', 'info'],
    ['Vad som helst', 'info'],
  ])('calls "%s" %s', (text, event) => expect(findEvent(text)).toBe(event));
});

describe('chatText()', () => {
  const markdown = (text: string) => chatText(text).markdown;

  it.each([
    ['*bold* _it_ ~gone~ `code`', '**bold** _it_ ~~gone~~ `code`'],
    ['*_both_*', '**_both_**'],
    ['a *b c* d', 'a **b c** d'],
    ['2*3*4 and snake_case_name', '2*3*4 and snake_case_name'],
    ['* not bold *', '* not bold *'],
    ['*over\nlines*', '*over\nlines*'],
    ['*open', '*open'],
    ['```a *b* c```', '`a *b* c`'],
    ['``` open', '``` open'],
    ['¯\\_(ツ)_/¯', '¯\\_(ツ)_/¯'],
    ['(*yes*), *no*!', '(**yes**), **no**!'],
    ['> quote\n- list', '> quote\n- list'],
  ])('writes %j', (typed, expected) => expect(markdown(typed)).toBe(expected));

  it('names the people it mentions, each once', () => {
    const { markdown: text, mentions } = chatText('@\u2068Ann\u2069 and @\u2068~ Ben\u2069, @\u2068Ann\u2069');
    expect([text, mentions]).toEqual(['@Ann and @~ Ben, @Ann', ['Ann', '~ Ben']]);
  });

  it('counts text that means something in Markdown only', () => {
    expect(chatText('# 4').lost).toEqual({ accidentalMarkup: 1 });
    expect(chatText('> 4\n- 5\n1. 6').lost).toEqual({});
  });

  it('takes time in proportion to the text', () => {
    for (const piece of ['*a ', '`', '_', '*_~`', ' *', '@\u2068'])
      expect(chatText(piece.repeat(10_000)).markdown.length).toBeGreaterThan(0);
  });
});

describe('texts of the app', () => {
  it.each([
    ['deleted', saysDeleted],
    ['absent', saysAbsent],
    ['call', saysCall],
    ['missed', saysWholeCall],
    ['image', (text: string) => omittedKind(text) === 'image'],
  ] as const)('are recognised as %s in every language, however they are spelled', (list, says) => {
    for (const phrase of lists[list]) {
      const capitalised = phrase.charAt(0).toUpperCase() + phrase.slice(1);
      const spellings = [phrase, capitalised, `${capitalised}.`, ` ${appMark}${capitalised.replace(' ', '\u00a0')}`];
      expect([phrase, ...spellings.map(says)]).toEqual([phrase, true, true, true, true]);
    }
  });

  it('are not recognised in texts that only begin like them', () =>
    expect(['This is it', 'Waiting', 'Voices', '', 'a.', '…'].map(saysDeleted)).toEqual(Array(6).fill(false)));
});
