import { decoded } from '../../lib/text/decoded.ts';
import { readRoute, type Route, useHash } from '../../viewer/page/door.tsx';
import type { Step } from '../shapes.ts';

/** The view that is shown, as in the address after `#`, so that a reload shows the same. */
export type View =
  | { readonly step: Step; readonly of?: string }
  | { readonly tables: true; readonly of?: string }
  | { readonly choices: true; readonly of?: string }
  /** The chats, at the viewer's own addresses. */
  | { readonly chats: Route };

/** The viewer has an address `people` of its own. */
const addresses: Readonly<Record<Step, string>> = {
  source: 'source',
  conversations: 'conversations',
  decide: 'decide',
  people: 'map',
  rehearse: 'rehearse',
  go: 'go',
};

export const steps = Object.keys(addresses) as readonly Step[];

/** Undefined if the address names no view. */
function readView(hash: string): View | undefined {
  const [first = '', second = ''] = hash.replace(/^#\/?/, '').split('?')[0]!.split('/');
  const of = second === '' ? {} : { of: decoded(second) };
  const step = steps.find((name) => addresses[name] === first);
  if (step) return { step, ...of };
  if (first === 'tables') return { tables: true, ...of };
  if (first === 'choices') return { choices: true, ...of };
  return first === '' ? undefined : { chats: readRoute(hash) };
}

export const stepOf = (view: View): Step => ('step' in view ? view.step : 'chats' in view ? 'rehearse' : 'decide');

const buildHash = (name: string, of: string | undefined) =>
  `#/${name}${of === undefined ? '' : `/${encodeURIComponent(of)}`}`;

export const stepHref = (step: Step, of?: string): string => buildHash(addresses[step], of);
export const choicesHref = '#/choices';
export const tableHref = (name?: string): string => buildHash('tables', name);

/** Chats have the addresses of the viewer. */
export const chatsHref = '#/chats';

export const useView = (): View | undefined => useHash(readView);
