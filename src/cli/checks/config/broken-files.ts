import type { Config } from '../../../config/schema.ts';
import { about, type Finding } from '../finding.ts';

/** Each mistake in the files of projects. */
export function brokenFiles({ broken = [] }: Pick<Config, 'broken'>): Finding[] {
  return broken.flatMap(({ file, error, keptSlug }) => {
    const consequence =
      keptSlug === null ? 'the project is left out' : `Outpost goes on with ${keptSlug} as it was before`;
    const next = `correct it and send Outpost SIGHUP, or restart it; until then ${consequence}`;
    if (error.mistakes.length === 0) return [about('projects', file).wrong(error.message, next)];
    return error.mistakes.map(({ line, key, message }) =>
      about(key === '' ? 'projects' : key, `${file}, line ${line}`).wrong(message, next),
    );
  });
}
