import { describe } from 'vitest';
import { testHostileTexts } from './hostile.ts';

describe('10,000 texts made to break out', () => testHostileTexts(10_000));
