import { describe } from 'vitest';
import { testHostileTexts } from './hostile.ts';

describe('1,600 texts made to break out', () => testHostileTexts(1_600));
