/** Pages of Google Voice, as Takeout writes them. */

export interface MadePerson {
  readonly name: string;
  readonly number: string;
}

export const me: MadePerson = { name: 'Me', number: '+15555550100' };

const escaped = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`).replaceAll('\n', '<br>');

const citeOf = ({ name, number }: MadePerson): string => {
  const shown = name === 'Me' ? '<abbr class="fn" title="">Me</abbr>' : `<span class="fn">${escaped(name)}</span>`;
  return `<cite class="sender vcard"><a class="tel" href="tel:${number}">${shown}</a></cite>`;
};

/** @param at ISO with a zone. @param files HTML of them. */
export const messageOf = (at: string, by: MadePerson, text: string, files = ''): string =>
  `<div class="message"><abbr class="dt" title="${at}">Mar 2, 2026</abbr>:\n${citeOf(by)}:\n<q>${escaped(text)}</q>${files === '' ? '' : `\n<div>${files}</div>`}\n</div>`;

const footOf = (labels: readonly string[], isDeleted: boolean): string => {
  const links = labels.map((label) => `<a rel="tag" href="http://www.google.com/voice#${label}">${label}</a>`);
  return `<div class="tags">Labels:\n${links.join(', ')}</div>\n<div class="deletedStatusContainer">User Deleted:\n${isDeleted ? 'True' : 'False'}</div>`;
};

const pageOf = (title: string, body: string): string =>
  `<?xml version="1.0" ?>\n<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-strict.dtd">\n<html xmlns="http://www.w3.org/1999/xhtml"><head><meta http-equiv="Content-Type" content="text/html; charset=UTF-8" />\n<title>${escaped(title)}</title>\n</head>\n<body>${body}</body></html>\n`;

export interface MadePage {
  readonly participants?: readonly MadePerson[];
  readonly labels?: readonly string[];
  readonly isDeleted?: boolean;
}

export function textPage(title: string, messages: readonly string[], about: MadePage = {}): string {
  const { participants, labels = ['inbox', 'sms'], isDeleted = false } = about;
  const list = participants?.map(citeOf).join(', ');
  const head = list === undefined ? '' : `<div class="participants">Group conversation with:\n${list}</div>\n`;
  return pageOf(
    title,
    `<div class="hChatLog hfeed">${head}\n${messages.join(' ')}</div>\n${footOf(labels, isDeleted)}`,
  );
}

export interface MadeCall {
  readonly heading: string;
  readonly by: MadePerson;
  readonly at: string;
  readonly label: string;
  readonly duration?: string;
  readonly transcript?: string;
  readonly audio?: string;
}

export function callPage({ heading, by, at, label, duration, transcript, audio }: MadeCall): string {
  const title = `${heading} ${by.name}`.trim();
  const said =
    transcript === undefined
      ? ''
      : `\n<span class="description"><span class="full-text">${escaped(transcript)}</span><span class="confidence">0.9</span></span>`;
  const sound =
    audio === undefined
      ? ''
      : `\n<audio controls="controls" src="${audio}"><a rel="enclosure" href="${audio}">Audio</a></audio>`;
  const lasted = duration === undefined ? '' : `\n<abbr class="duration" title="${duration}">(00:00:00)</abbr>`;
  return pageOf(
    heading,
    `<div class="haudio"><span class="album">Call Log for </span>\n<span class="fn">${escaped(title)}</span>\n<div class="contributor vcard">${heading}\n<a class="tel" href="tel:${by.number}"><span class="fn">${escaped(by.name)}</span></a></div>\n<abbr class="published" title="${at}">Mar 2, 2026</abbr>${said}${sound}${lasted}\n${footOf([label], false)}</div>`,
  );
}
