/** Pages that the site alone has: the sandbox's own description of the service, shown. */
import { renderServicePages } from '../../../scripts/write-service-api.ts';

export default {
  paths: () => Array.from(renderServicePages(), ([page, content]) => ({ params: { page }, content })),
};
