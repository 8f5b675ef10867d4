import type { Desk } from './desk.ts';

/** Whether there is a name to write a decision with; otherwise its field gets the focus. */
export function asName({ by }: Desk): boolean {
  if (by !== '') return true;
  const field = document.getElementById('me') as HTMLInputElement | null;
  field?.setCustomValidity('Type your name first: it is written down with what you decide');
  field?.reportValidity();
  field?.addEventListener('input', () => field.setCustomValidity(''), { once: true });
  return false;
}
