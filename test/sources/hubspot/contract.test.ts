import { hubspot } from '../../../src/sources/hubspot/index.ts';
import { describeSource } from '../../contracts/source.ts';

describeSource(hubspot);
