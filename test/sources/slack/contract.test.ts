import { slack } from '../../../src/sources/slack/index.ts';
import { describeSource } from '../../contracts/source.ts';

describeSource(slack);
