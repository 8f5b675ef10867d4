import { UsageError } from '../../lib/errors.ts';
import { sandboxPort } from '../../lib/sandbox-port.ts';
import { type SandboxServer, serveViewer, type Viewer } from '../../sandbox/serve.ts';

/** Serves on the port to which the links of reports lead, or on the given one; if that is taken, on a free one. */
export async function serveWhereLinksLead(
  page: Viewer,
  onFault: (fault: unknown) => void,
  port = sandboxPort,
): Promise<SandboxServer> {
  try {
    return await serveViewer(page, { port, onFault });
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return await serveViewer(page, { onFault });
  }
}
