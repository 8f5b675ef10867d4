import { chatferry } from '../../../src/sources/chatferry/index.ts';
import { describeSource } from '../../contracts/source.ts';

describeSource(chatferry);
