import type { Config } from '../../config/schema.ts';
import type { Finding } from './finding.ts';

/** Each mistake in the files of projects. */
export function brokenFiles({ broken = [] }: Pick<Config, 'broken'>): Finding[] {
  return broken.flatMap(({ file, error, keptSlug }) => {
    const consequence =
      keptSlug === null ? 'the project is left out' : `Outpost goes on with ${keptSlug} as it was before`;
    const next = `correct it and send Outpost SIGHUP, or restart it; until then ${consequence}`;
    if (error.mistakes.length === 0) {
      return [{ key: 'projects', tried: file, status: 'wrong' as const, found: error.message, next }];
    }
    return error.mistakes.map(({ line, key, message }): Finding => ({
      key: key === '' ? 'projects' : key,
      tried: `${file}, line ${line}`,
      status: 'wrong',
      found: message,
      next,
    }));
  });
}
