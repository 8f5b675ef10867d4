import { asArray, asObject, asString, type Untrusted } from '../kit/narrow.ts';
import { markdownLink } from '../kit/text/markdown.ts';
import { listWords } from '../kit/text/structure-words.ts';
import type { RocketBlock, RocketText } from './format.ts';
import { rocketchatText, type TextContext } from './text.ts';

/** Returns the content of an app's block: its texts, pictures by their addresses, buttons that link to a page. Choices are only counted. */
export function blockText(value: unknown, context: TextContext): string {
  const block = asObject<RocketBlock>(value);
  if (block === undefined) return '';
  const parts = [
    describeText(block.text, context),
    ...asArray(block.fields).map((field) => describeText(field, context)),
    ...asArray(block.elements).map((element) => elementText(element, context)),
    describePicture(block, context),
    elementText(block.accessory, context),
  ];
  const text = parts.filter(Boolean).join('\n');
  return text === '' ? listWords(block).join('\n') : text;
}

function elementText(value: unknown, context: TextContext): string {
  const element = asObject<RocketBlock & RocketText>(value);
  if (element === undefined) return '';
  const picture = describePicture(element, context);
  if (picture !== '') return picture;
  if (typeof element.text === 'string') return describeText(element, context);
  const url = asString(element.url);
  const words = describeText(element.text, context);
  if (url !== undefined) return markdownLink(url, words || url);
  if (element.type !== undefined) context.lose('appData');
  return '';
}

function describePicture({ imageUrl, title, altText }: Untrusted<RocketBlock>, context: TextContext): string {
  const url = asString(imageUrl);
  return url === undefined
    ? ''
    : [describeText(title, context) || (asString(altText) ?? ''), url].filter(Boolean).join('\n');
}

/** Converts `mrkdwn` like a message; leaves `plain_text` unchanged. */
function describeText(value: unknown, context: TextContext): string {
  const { type, text } = asObject<RocketText>(value) ?? {};
  const words = asString(text) ?? '';
  return type === 'plain_text' ? words : rocketchatText(words, context);
}
