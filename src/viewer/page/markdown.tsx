import MarkdownIt, { type Token } from 'markdown-it';
import { type ComponentChildren, h } from 'preact';

/** No HTML of the text becomes HTML: everything is made of elements here, one by one. */
const markdown = new MarkdownIt({ html: false, linkify: true, breaks: true });

/** UTF-16 units beyond which a text is shown as it is. */
const markdownMax = 20_000;

export type NameOf = (uid: string) => string;

export function Rich({ text, nameOf }: { readonly text: string; readonly nameOf: NameOf }) {
  if (text.length > markdownMax) return <p class="plain">{text}</p>;
  return <>{built(markdown.parse(text, {}), nameOf)}</>;
}

/** A text of ours: the breaks of its lines mean nothing. */
export function Prose({ text }: { readonly text: string }) {
  const tokens = markdown.parse(text, {});
  for (const child of tokens.flatMap(({ children }) => children ?? []))
    if (child.type === 'softbreak') Object.assign(child, { type: 'text', content: ' ' });
  return <>{built(tokens, String)}</>;
}

interface Open {
  readonly token: Token | undefined;
  readonly children: ComponentChildren[];
}

/** Tokens come flat, elements opened and closed one after the other. */
function built(tokens: readonly Token[], nameOf: NameOf): ComponentChildren[] {
  const stack: Open[] = [{ token: undefined, children: [] }];
  for (const token of tokens) {
    if (token.nesting === 1) {
      stack.push({ token, children: [] });
      continue;
    }
    const closed = token.nesting === -1 && stack.length > 1 ? stack.pop() : undefined;
    const made = closed?.token ? element(closed.token, closed.children) : leaf(token, nameOf);
    stack.at(-1)!.children.push(made);
  }
  return stack[0]!.children;
}

/** Elements that a text may become. A heading is none of this page's: it is as large, and no more. */
const tags = new Set('strong em s blockquote ul ol li table thead tbody tr th td'.split(' '));

function element(token: Token, children: ComponentChildren[]): ComponentChildren {
  if (token.hidden) return children;
  if (token.tag === 'a') return <Link href={String(token.attrGet('href') ?? '')}>{children}</Link>;
  if (/^h\d$/.test(token.tag)) return <p class={`heading ${token.tag}`}>{children}</p>;
  const start = token.tag === 'ol' ? Number(token.attrGet('start') ?? 1) : undefined;
  if (start !== undefined) return <ol start={start}>{children}</ol>;
  return h(tags.has(token.tag) ? token.tag : 'p', {}, children);
}

function leaf(token: Token, nameOf: NameOf): ComponentChildren {
  switch (token.type) {
    case 'inline':
      return built(token.children ?? [], nameOf);
    case 'text':
      return withMentions(token.content, nameOf);
    case 'softbreak':
    case 'hardbreak':
      return <br />;
    case 'hr':
      return <hr />;
    case 'code_inline':
      return <code>{token.content}</code>;
    case 'fence':
    case 'code_block':
      return (
        <pre tabindex={0}>
          <code>{token.content}</code>
        </pre>
      );
    case 'image':
      // Nothing is asked of anybody else: a picture is a link to it.
      return <Link href={String(token.attrGet('src') ?? '')}>{token.content || 'picture'}</Link>;
    default:
      return token.content;
  }
}

/** An address that leads to the web, or to a mail program; any other one is text. */
export function safeHref(href: string): string | undefined {
  try {
    const { protocol } = new URL(href);
    return ['http:', 'https:', 'mailto:'].includes(protocol) ? href : undefined;
  } catch {
    return undefined;
  }
}

export function Link({ href, children }: { readonly href: string; readonly children: ComponentChildren }) {
  const safe = safeHref(href);
  if (safe === undefined) return <span class="no-link">{children}</span>;
  return (
    <a href={safe} target="_blank" rel="noopener noreferrer nofollow">
      {children}
    </a>
  );
}

/** `<@uid:ann>` and `<@all>` as names. */
function withMentions(text: string, nameOf: NameOf): ComponentChildren {
  const parts = text.split(/<@(?:uid:([\w-]{1,100})|all(?::\w+)?)>/);
  if (parts.length === 1) return text;
  return parts.map((part, index) =>
    index % 2 === 0 ? part : <span class="mention">@{part === undefined ? 'all' : nameOf(part)}</span>,
  );
}
