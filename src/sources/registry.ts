import { chatService } from './chat-service/index.ts';
import { chatferry } from './chatferry/index.ts';
import { csv } from './csv/index.ts';
import { json } from './json/index.ts';
import { slack } from './slack/index.ts';
import type { SourceAdapter } from './source.ts';

/** Every source, one line each. The order is that of help texts; detection does not depend on it. */
export const sources: readonly SourceAdapter[] = [slack, chatferry, chatService, csv, json];
