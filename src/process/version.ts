import { readFileSync } from 'node:fs';
import { packageFile } from './own-files.ts';

export const { version } = JSON.parse(readFileSync(packageFile('package.json'), 'utf8')) as {
  version: string;
};
