import type { Attachment } from '../../model/records.ts';
import type { RowProblem } from '../kit/entries.ts';
import { asArray, asCount, asObject, asString, asWord, wordFor, type Untrusted } from '../kit/narrow.ts';
import type { Lose } from '../kit/lost.ts';
import { nameIn } from '../kit/text/html-body.ts';
import { bold } from '../kit/text/markdown.ts';
import { listWords } from '../kit/text/structure-words.ts';
import type { FormField, LiveChatEvent, RichElement } from './format.ts';

type Row = Untrusted<LiveChatEvent>;

/** Content of an event. */
export interface Content {
  readonly text: string;
  readonly files: readonly Attachment[];
  /** Set if no person said it: forms, ratings, what happened. */
  readonly systemEvent?: string;
}

/** Reads an event by its type. @returns why it cannot be read. */
export function readContent(row: Row, type: string, lose: Lose): Content | RowProblem {
  const files: Attachment[] = [];
  switch (type) {
    case 'message':
      return noText(row.text, 'text') ?? { text: asString(row.text) ?? '', files };
    case 'file':
      return noText(row.url, 'url') ?? { text: '', files: [readFile(row)] };
    case 'rich_message':
      return noList(row.elements, 'elements') ?? richContent(row.elements, lose);
    case 'filled_form':
    case 'form':
      return noList(row.fields, 'fields') ?? formContent(row, type, lose);
    case 'system_message':
    case 'system':
    case 'custom':
    case 'annotation':
      return noText(row.text, 'text') ?? systemContent(row, type, lose);
    default: {
      const reason = `Expected an event of a type that is known, found ${wordFor(row.type)} of ${type.length} letters`;
      return { code: 'livechat-unknown-event', reason };
    }
  }
}

/** A text of another type is no empty text. */
const noText = (value: unknown, key: string): RowProblem | undefined =>
  value === undefined || value === null || typeof value === 'string'
    ? undefined
    : { code: 'row-not-understood', reason: `Expected "${key}" to be a text, found ${wordFor(value)}` };

const noList = (value: unknown, key: string): RowProblem | undefined =>
  value === undefined || value === null || Array.isArray(value)
    ? undefined
    : { code: 'row-not-understood', reason: `Expected "${key}" to be a list, found ${wordFor(value)}` };

function readFile(file: Untrusted<RichElement['image']>): Attachment {
  const url = asString(file.url);
  const sizeBytes = asCount(file.size);
  return {
    name: asString(file.name) ?? (url === undefined ? 'file' : nameIn(url)),
    ...(url === undefined ? { unavailable: 'no-address' } : { url }),
    mimeType: asString(file.content_type),
    ...(sizeBytes !== undefined && { sizeBytes }),
  };
}

/** A part of another type is no empty part: it is counted. */
function objectIn<T>(value: unknown, lose: Lose): Untrusted<T> {
  const object = asObject<T>(value);
  if (object === undefined) lose('appData');
  return object ?? {};
}

function textIn(value: unknown, lose: Lose): string {
  if (value !== undefined && value !== null && typeof value !== 'string') lose('appData');
  return asString(value) ?? '';
}

/** Cards, stickers and quick replies: a title, a line and a picture each. */
function richContent(elements: unknown, lose: Lose): Content {
  const files: Attachment[] = [];
  const texts = asArray(elements).map((value) => {
    const element = objectIn<RichElement>(value, lose);
    const image = asObject<RichElement['image'] & { readonly alternative_text: string }>(element.image);
    if (image) files.push({ ...readFile(image), kind: 'image' });
    if (image?.alternative_text) lose('cardDetails');
    lose('menus', asArray(element.buttons).length);
    return [bold(textIn(element.title, lose)), textIn(element.subtitle, lose)].filter(Boolean).join('\n');
  });
  const text = texts.filter((words) => words !== '').join('\n\n');
  return { text: text === '' && files.length === 0 ? listWords(elements).join('\n') : text, files };
}

function formContent(row: Row, type: string, lose: Lose): Content {
  const lines = asArray(row.fields).map((value) => {
    const field = objectIn<FormField>(value, lose);
    const label = textIn(field.label, lose).replace(/[\s:]{1,20}$/, '');
    const answers = field.answers === undefined ? [field.answer] : asArray(field.answers);
    const answer = answers.map((one) => describeAnswer(one, lose)).filter((one) => one !== '');
    if (type === 'form') lose('menus');
    return answer.length === 0 ? label : `${label}: ${answer.join(', ')}`;
  });
  const formType = asString(row.form_type);
  return {
    text: lines.filter((line) => line !== '').join('\n') || describeEvent(type),
    files: [],
    systemEvent: formType === undefined ? type : `${type}.${formType}`,
  };
}

/** An answer is a text, or a choice with its label. */
function describeAnswer(value: unknown, lose: Lose): string {
  if (value === undefined || value === null) return '';
  if (typeof value !== 'object') return asWord(value);
  const label = asString(asObject<{ label: string }>(value)?.label);
  if (label === undefined) lose('appData');
  return label ?? '';
}

function systemContent(row: Row, type: string, lose: Lose): Content {
  if (row.details !== undefined || row.content !== undefined) lose('appData');
  const systemEvent = asString(row.system_message_type) ?? asString(row.subtype) ?? type;
  return { text: asString(row.text) ?? describeEvent(systemEvent), files: [], systemEvent };
}

/** `rating.chat_rated` in words. */
const describeEvent = (event: string): string =>
  `${event.charAt(0).toUpperCase()}${event.slice(1)}`.replaceAll(/[._]/g, ' ').trim() || 'Event';
