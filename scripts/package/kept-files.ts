/** Of these packages only such files are needed. */
const onlyThese: Readonly<Record<string, RegExp>> = {
  '@fontsource/inter':
    /^files\/inter-(?:latin|latin-ext|cyrillic|cyrillic-ext|greek)-(?:400|600)-normal\.woff2$/,
  'better-sqlite3': /^(?:lib\/|build\/Release\/better_sqlite3\.node$)/,
  'local-discord': /^dist\/(?!.*\.(?:map|d\.ts)$)/,
  'swagger-ui-dist': /^swagger-ui(?:-bundle\.js|\.css)$/,
};
const license = /^(?:licen[cs]e|copying|notice|authors)(?:[.-][^/]*)?$/i;
/** What is for people, compilers and debuggers. Only folders at the top: deeper ones may be part of the program. */
const unneeded = [
  /\.(?:map|[cm]?ts|md|markdown|flow|tsbuildinfo)$/i,
  /^(?:test|tests|__tests__|docs|examples?|bench|benchmarks?|coverage|\.github|\.vscode|\.husky)\//,
  /^(?:custom-elements\.json|changelog|history|readme)$/i,
];

/** Whether a file of a package says who made it, and on which terms. */
export const isLicense = (path: string): boolean => license.test(path);

/**
 * Whether a file of a package goes into the release.
 * @param name of the package
 * @param path within it, with /
 */
export function isKept(
  name: string,
  path: string,
  platform = `${process.platform}-${process.arch}`,
): boolean {
  if (path === 'package.json' || isLicense(path)) return true;
  // Its binaries are named after platforms. The archive's own Node.js for Linux needs glibc.
  if (name === 'better-sqlite3-13') return path.startsWith('lib/') || path === `prebuilds/${platform}.node`;
  const needed = onlyThese[name];
  if (needed !== undefined) return needed.test(path);
  return !unneeded.some((pattern) => pattern.test(path));
}
