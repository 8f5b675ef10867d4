import { zendesk } from '../../../src/sources/zendesk/index.ts';
import { describeSource } from '../../contracts/source.ts';

describeSource(zendesk);
