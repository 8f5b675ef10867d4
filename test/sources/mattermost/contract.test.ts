import { mattermost } from '../../../src/sources/mattermost/index.ts';
import { describeSource } from '../../contracts/source.ts';

describeSource(mattermost);
