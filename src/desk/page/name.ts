import type { Desk } from './desk.ts';

/** Whether there is a name to write a decision with; otherwise its field gets the focus, and says what the name is for. */
export function asName({ by }: Desk): boolean {
  if (by !== '') return true;
  const field = document.getElementById('me');
  field?.setAttribute('aria-invalid', 'true');
  field?.addEventListener('input', () => field.removeAttribute('aria-invalid'), { once: true });
  field?.focus();
  return false;
}
