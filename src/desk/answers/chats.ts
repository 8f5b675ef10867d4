import { existsSync } from 'node:fs';
import { type ShownSandbox, shownSandbox } from '../../rows/shown.ts';
import { sandboxPathOf } from '../../delivery/target.ts';
import type { TransportAnswer } from '../../service/transport.ts';
import { viewerData } from '../../viewer/viewer-data.ts';
import type { Workspace } from '../files/workspace.ts';
import type { DeskState } from '../shapes.ts';

/** The chats that arrived in a sandbox, as the viewer shows them: those of the last rehearsal, else those of the store's own sandbox. */
export class Chats {
  readonly #workspace: Workspace;
  #path: string | undefined;
  #shown: ShownSandbox | undefined;

  constructor(workspace: Workspace) {
    this.#workspace = workspace;
  }

  /** @throws UsageError */
  get of(): DeskState['chats'] {
    const { rehearsal, store } = this.#workspace.paths();
    if (existsSync(sandboxPathOf(rehearsal))) return 'rehearsal';
    return existsSync(sandboxPathOf(store)) ? 'store' : null;
  }

  /** Answers a question of the viewer's page; undefined if nothing has that name, or there are no chats. @throws UsageError */
  async answer(name: string, search: URLSearchParams): Promise<TransportAnswer | undefined> {
    const { of } = this;
    if (of === null) return undefined;
    const { rehearsal, store } = this.#workspace.paths();
    return await viewerData(this.#open(sandboxPathOf(of === 'rehearsal' ? rehearsal : store)))(name, search);
  }

  /** Closes the sandbox: it is opened again when it is asked for. */
  close(): void {
    this.#shown?.close();
    this.#shown = undefined;
  }

  #open(path: string): ShownSandbox {
    if (path !== this.#path) this.close();
    this.#path = path;
    this.#shown ??= shownSandbox(path, { exports: () => this.#workspace.exports() });
    return this.#shown;
  }
}
