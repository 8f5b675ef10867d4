import { freshchat } from '../../../src/sources/freshchat/index.ts';
import { describeSource } from '../../contracts/source.ts';

describeSource(freshchat);
