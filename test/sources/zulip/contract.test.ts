import { zulip } from '../../../src/sources/zulip/index.ts';
import { describeSource } from '../../contracts/source.ts';

describeSource(zulip);
