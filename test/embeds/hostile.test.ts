import { describe } from 'vitest';
import { testHostileTexts } from './hostile.ts';

describe('2,000 texts made to break out', () => testHostileTexts(2_000));
