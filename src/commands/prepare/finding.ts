import type { DoctorFinding } from '../results.ts';

export const ok = (name: string, says: string): DoctorFinding => ({ name, level: 'ok', says });
export const warning = (name: string, says: string, todo: string): DoctorFinding => ({
  name,
  level: 'warning',
  says,
  todo,
});
export const error = (name: string, says: string, todo: string, exit: number): DoctorFinding => ({
  name,
  level: 'error',
  says,
  todo,
  exit,
});
