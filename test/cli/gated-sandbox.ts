import { fakeService, handOn, isImport } from './fake-service.ts';
import { serveSandbox } from './in-process.ts';

/** A sandbox behind a gate: imports are not answered until it opens. */
export async function gatedSandbox(folder: string) {
  const sandbox = await serveSandbox(folder);
  const gate = { isOpen: false, held: Promise.withResolvers<void>() };
  const service = await fakeService((request, response) => {
    if (gate.isOpen || !isImport(request)) void handOn(request, response, sandbox.url);
    else gate.held.resolve();
  });
  return { sandbox, gate, service };
}
