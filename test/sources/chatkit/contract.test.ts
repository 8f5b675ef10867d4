import { chatkit } from '../../../src/sources/chatkit/index.ts';
import { describeSource } from '../../contracts/source.ts';

describeSource(chatkit);
