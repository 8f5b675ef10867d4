import { failure, success } from './answers.ts';
import type { Handler } from './handler.ts';

/** With `onBehalfOf` it also says what that user is in the group. */
export const getGroup: Handler = ({ groups }, { params, onBehalfOf }) => {
  const guid = (params.guid ?? '').toLowerCase();
  const group = groups.find(guid);
  if (group === undefined) {
    return failure(404, { code: 'ERR_GUID_NOT_FOUND', message: `The group "${guid}" does not exist` });
  }
  if (onBehalfOf === undefined) return success(`{"data":${group}}`);
  const membership = groups.membership(guid, onBehalfOf);
  const view = { hasJoined: membership !== undefined, ...membership };
  return success(JSON.stringify({ data: { ...JSON.parse(group), ...view } }));
};
