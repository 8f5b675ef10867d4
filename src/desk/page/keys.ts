import { useEffect } from 'preact/hooks';
import { closePanel } from '../../viewer/page/door.tsx';
import { stepHref, tableHref, steps, type View } from './route.ts';

/** Elements into which letters are typed. */
const isTyping = ({ target }: KeyboardEvent): boolean =>
  target instanceof HTMLTextAreaElement ||
  target instanceof HTMLSelectElement ||
  (target instanceof HTMLInputElement && target.type !== 'radio' && target.type !== 'checkbox');

/** Keys of the whole page: 1–6 for the steps, j and k along a list, / for its search, Escape for the way back. */
export function useKeys(view: View | undefined): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.key === 'Escape') return goBack(view);
      if (isTyping(event)) return;
      const step = steps[Number(event.key) - 1];
      if (step) location.hash = stepHref(step);
      else if (event.key === 'j' || event.key === 'k') move(event.key === 'j' ? 1 : -1);
      else if (event.key === '/') document.getElementById('find')?.focus();
      else return;
      event.preventDefault();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, [view]);
}

/** Moves along the links of a list; Enter then opens one, as it does with any link. */
function move(by: 1 | -1): void {
  const links = [...document.querySelectorAll<HTMLElement>('.rows a')];
  const focused = links.indexOf(document.activeElement as HTMLElement);
  const at = focused === -1 ? links.findIndex((link) => link.ariaCurrent !== null) : focused;
  links[Math.min(Math.max(at + by, 0), links.length - 1)]?.focus();
}

function goBack(view: View | undefined): void {
  if (!view || closePanel()) return;
  if ('chats' in view) location.hash = stepHref('rehearse');
  else if ('tables' in view) location.hash = view.of === undefined ? stepHref('decide') : tableHref();
  else if (view.of !== undefined) location.hash = stepHref(view.step);
}
