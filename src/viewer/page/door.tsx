/** What other pages use of this one. */
export { answerOf, ask } from './api.ts';
export { Empty, Name, Problem } from './elements.tsx';
export { countOf, formatCount, formatMoment } from './format.ts';
export { useAnswer, usePages, usePolling } from './hooks.ts';
