import { decoded } from '../../lib/text/decoded.ts';

/** The view that is shown, as in the address after `#`: a link opens the same view. */
export type Route = { readonly as: string | undefined } & (
  | { readonly page: 'chats'; readonly conversation?: string; readonly message?: string }
  | { readonly page: 'find'; readonly key: string }
  | { readonly page: 'search'; readonly text: string }
  | { readonly page: 'people' | 'groups' | 'import' }
);

export function readRoute(hash: string): Route {
  const [path = '', search = ''] = hash.replace(/^#\/?/, '').split('?');
  const as = new URLSearchParams(search).get('as') ?? undefined;
  const [first, second, third] = path.split('/').map(decoded);
  if (first === 'c' && second) return { as, page: 'chats', conversation: second, ...(third && { message: third }) };
  if (first === 'm' && second) return { as, page: 'find', key: second };
  if (first === 'search') return { as, page: 'search', text: second ?? '' };
  if (first === 'people' || first === 'groups' || first === 'import') return { as, page: first };
  return { as, page: 'chats' };
}

export function hrefOf(route: Route): string {
  const search = route.as === undefined ? '' : `?${new URLSearchParams({ as: route.as })}`;
  return `#/${pathOf(route).map(encodeURIComponent).join('/')}${search}`;
}

function pathOf(route: Route): string[] {
  switch (route.page) {
    case 'chats':
      return route.conversation === undefined
        ? ['chats']
        : ['c', route.conversation, ...(route.message === undefined ? [] : [route.message])];
    case 'find':
      return ['m', route.key];
    case 'search':
      return ['search', route.text];
    default:
      return [route.page];
  }
}

export function go(route: Route): void {
  location.hash = hrefOf(route);
}
