/** Parts of this page that others use. */
export { readAnswer as answerOf, ask, Refused } from './api.ts';
export { Chats, closePanel, skipToMain } from './app.tsx';
export { Avatar, Empty, Find, More, Name, Problem } from './elements.tsx';
export { countOf, dayKey, formatCount, formatMoment } from './format.ts';
export { useAnswer, useHash, usePages, usePolling, useSettled } from './hooks.ts';
export { Prose } from './markdown.tsx';
export { Message } from './message.tsx';
export { readRoute, type Route } from './route.ts';
export { describeProgress as factsOf, Stages } from './run.tsx';
